"""Images: turned upright, scaled to what the model takes, and without what their makers noted in them."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.file_limits import FileLimits
from app.files.recognition import IMAGES

EDGE = 1568
"""Pixels of the longer edge; the Claude API scales larger images down to this, and bills them as such."""
MOST_BYTES = 3_500_000
"""The Claude API takes 5 MB an image in base64, which is 3.75 MB in bytes."""
QUALITY = 85
MOTION = "the rest of the animation"


def read_image(content: bytes, title: str, media_type: str, limits: FileLimits) -> FileContent:
    """Return the image as PNG or JPEG. Raise `FileRefused`, or any error of Pillow.

    It is drawn anew, so that neither metadata nor bytes behind the image are left.
    """
    Image.MAX_IMAGE_PIXELS = None  # the limit below counts after a JPEG was told to decode to a fraction
    with Image.open(io.BytesIO(content), formats=[IMAGES[media_type]]) as image:
        image.draft("RGB", (EDGE, EDGE))
        if image.width * image.height > limits.pixels:
            raise FileRefused(FileFault.TOO_MUCH_MEMORY)
        is_moving = getattr(image, "n_frames", 1) > 1
        upright = ImageOps.exif_transpose(image)
    clean = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    clean.info.clear()
    clean.thumbnail((EDGE, EDGE))
    data, written = _write(clean, media_type)
    return FileContent(
        kind=FileKind.IMAGE, media_type=written, title=title, data=data, left_out=MOTION if is_moving else ""
    )


def _write(image: Image.Image, media_type: str) -> tuple[bytes, str]:
    """Write a photo as JPEG, anything else without loss, unless that takes more than the model accepts."""
    if media_type != "image/jpeg":
        drawn = io.BytesIO()
        image.save(drawn, "PNG")
        if len(drawn.getvalue()) <= MOST_BYTES:
            return drawn.getvalue(), "image/png"
    photo = io.BytesIO()
    if image.mode == "RGBA":
        page = Image.new("RGB", image.size, "white")
        page.paste(image, mask=image.getchannel("A"))
        image = page
    image.save(photo, "JPEG", quality=QUALITY)
    return photo.getvalue(), "image/jpeg"
