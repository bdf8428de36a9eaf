"""Images: what goes to the model is a picture and nothing else."""

from __future__ import annotations

from random import Random

import pytest
from PIL import Image, PngImagePlugin

from app.core.errors import FileFault, FileRefused
from app.core.file_content import FileContent, FileKind
from app.files.file_limits import FileLimits
from app.files.images import EDGE, MOST_BYTES, MOTION
from app.files.parsing import parse_file
from tests.unit.files.sample_files import make_image, open_image, write_image

ORIENTATION, MAKER, TURNED = 0x0112, 0x010F, 6
SECRET = "52.5200 N, 13.4050 E"


def parse(content: bytes, limits: FileLimits = FileLimits()) -> FileContent:  # noqa: B008  frozen
    return parse_file(content, "whiteboard", limits)


def noise(size: int) -> Image.Image:
    return Image.frombytes("RGB", (size, size), Random(1).randbytes(3 * size * size))


@pytest.mark.req("IN-02")
@pytest.mark.parametrize(("form", "written"), [("PNG", "png"), ("JPEG", "jpeg"), ("GIF", "png"), ("WEBP", "png")])
def test_a_picture_of_each_kind_goes_to_the_model_as_a_picture(form: str, written: str) -> None:
    found = parse(make_image(form))
    assert (found.kind, found.media_type, found.text) == (FileKind.IMAGE, f"image/{written}", "")
    picture = open_image(found.data)
    assert (picture.size, picture.format) == ((40, 30), written.upper())
    red, _, blue = picture.convert("RGB").getpixel((5, 5))  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
    assert red > 200 > 60 > blue
    assert not found.left_out


@pytest.mark.req("IN-03")
@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_where_and_with_what_a_photo_was_taken_is_taken_off(form: str) -> None:
    exif = Image.Exif()
    exif[MAKER] = SECRET
    content = make_image(form, exif=exif)
    assert SECRET.encode() in content
    found = parse(content)
    assert SECRET.encode() not in found.data
    assert not open_image(found.data).getexif()


@pytest.mark.req("IN-03")
def test_notes_in_a_picture_and_bytes_behind_it_are_taken_off() -> None:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", SECRET)
    for content in (make_image(pnginfo=notes), make_image("JPEG", comment=SECRET), make_image() + SECRET.encode()):
        assert SECRET.encode() in content
        assert SECRET.encode() not in parse(content).data


@pytest.mark.req("IN-03")
def test_a_photo_taken_with_the_camera_turned_stands_upright_without_its_note_of_that() -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = TURNED
    assert open_image(parse(make_image("JPEG", size=(40, 30), exif=exif)).data).size == (30, 40)


@pytest.mark.req("IN-03")
@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_large_picture_is_scaled_to_what_the_model_takes_and_keeps_its_shape(form: str) -> None:
    assert open_image(parse(make_image(form, size=(4000, 2000))).data).size == (EDGE, EDGE // 2)


@pytest.mark.req("IN-03")
def test_a_picture_with_too_many_bytes_becomes_a_photo() -> None:
    content = write_image(noise(1150), "PNG")
    assert len(content) > MOST_BYTES
    found = parse(content)
    assert (found.media_type, len(found.data) <= MOST_BYTES) == ("image/jpeg", True)


def test_what_is_transparent_stays_so_and_becomes_white_in_a_photo() -> None:
    assert open_image(parse(write_image(Image.new("RGBA", (4, 4)), "PNG")).data).mode == "RGBA"
    clear = noise(1150)
    clear.putalpha(0)
    photo = open_image(parse(write_image(clear, "PNG")).data)
    assert (photo.format, photo.getpixel((700, 700))) == ("JPEG", (255, 255, 255))


@pytest.mark.req("IN-02")
def test_of_a_moving_picture_the_first_is_shown_and_the_rest_named_as_left_out() -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
    found = parse(write_image(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert found.left_out == MOTION
    assert open_image(found.data).convert("RGB").getpixel((0, 0)) == (255, 0, 0)


@pytest.mark.req("IN-03")
@pytest.mark.parametrize("form", ["PNG", "GIF", "WEBP"])
def test_a_picture_that_grows_too_large_is_refused_before_it_is_decoded(form: str) -> None:
    with pytest.raises(FileRefused) as refused:
        parse(make_image(form, size=(100, 101)), FileLimits(pixels=10_000))
    assert refused.value.reason is FileFault.TOO_MUCH_MEMORY


def test_a_large_photo_is_decoded_to_a_fraction_and_not_refused() -> None:
    content = make_image("JPEG", size=(6400, 6400))
    assert open_image(parse(content, FileLimits(pixels=10_000_000)).data).size == (EDGE, EDGE)


@pytest.mark.req("IN-04")
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_that_was_not_sent_whole_is_broken(form: str) -> None:
    content = write_image(noise(200), form)
    with pytest.raises(FileRefused) as refused:
        parse(content[: len(content) // 2])
    assert refused.value.reason is FileFault.BROKEN
