"""Files as people's programs make them, and as somebody makes them who means harm."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

import docx
import openpyxl
import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from app.core.errors import FileRefused
from app.core.file_content import FileContent
from app.files.file_limits import FileLimits
from app.files.parsing import parse_file

PARTS = zipfile.ZIP_DEFLATED


def make_image(form: str = "PNG", size: tuple[int, int] = (40, 30), mode: str = "RGB", **saved: Any) -> bytes:
    """A picture that is red on its left half and blue on its right."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    return write_image(image.convert(mode), form, **saved)


def parse(content: bytes, name: str = "notes.txt", **limits: Any) -> FileContent:
    """What is read of a file by this name, with these limits."""
    return parse_file(content, name, FileLimits(**limits))


def refuse(content: bytes, name: str = "notes.txt", **limits: Any) -> FileRefused:
    """How it is refused."""
    with pytest.raises(FileRefused) as refused:
        parse(content, name, **limits)
    return refused.value


def write_image(image: Image.Image, form: str, **saved: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **saved)
    return file.getvalue()


def open_image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def make_pdf(texts: Sequence[str], title: str = "") -> bytes:
    """A PDF with a page for each text; a page without text shows a drawing, as one from a scanner does."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids: list[int] = []
    for text in texts:
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else "0 0 m 100 100 l S"
        objects.append(f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream".encode())
        page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>"
        objects.append(page.format(len(objects)).encode())
        kids.append(len(objects))
    objects[1] = f"<</Type/Pages/Kids[{' '.join(f'{kid} 0 R' for kid in kids)}]/Count {len(kids)}>>".encode()
    objects.append(f"<</Title({title})>>".encode())
    file, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(file)
    file += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    file += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    file += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R/Info {len(objects)} 0 R>>\n".encode()
    return bytes(file + f"startxref\n{start}\n%%EOF\n".encode())


def lock_pdf(content: bytes, password: str, owner: str = "the owner's") -> bytes:
    """The same PDF under a password; with an empty one it opens, but cannot be changed."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(content)))
    writer.encrypt(password, owner, algorithm="AES-256")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def make_workbook(**sheets: Iterable[Sequence[Any]]) -> bytes:
    book = openpyxl.Workbook()
    assert book.active
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet: Any = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    return write_workbook(book)


def write_workbook(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def make_document(*paragraphs: str) -> bytes:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    return write_document(document)


def write_document(document: Any) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def change_part(content: bytes, part: str, old: str, new: str) -> bytes:
    """The same archive with a part in which something was replaced; if there is no such part, it is added."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(file, "w", PARTS) as after:
        for name in before.namelist():
            text = before.read(name)
            if name == part:
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            after.writestr(name, text)
        if part not in before.namelist():
            after.writestr(part, new)
    return file.getvalue()
