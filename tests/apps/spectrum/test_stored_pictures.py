"""Pictures read, changed and written: what stays, of each kind of file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageCms, PngImagePlugin
from support.png import png_chunk, png_file

from glfft.apps.spectrum.stored_pictures import StoredPicture, kept_suffix, read_stored, write_stored
from glfft.errors import DataError, GlfftError, LimitError

PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
CAMERA = 0x010F
EXPOSURE = 0x829A
EXIF_FOLDER = 0x8769


def exif(orientation: int = 1) -> Image.Exif:
    data = Image.Exif()
    data[CAMERA] = "Maker"
    data[0x0112] = orientation
    data.get_ifd(EXIF_FOLDER)[EXPOSURE] = 0.25
    return data


def random_samples(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    generator = np.random.default_rng(0)
    if dtype == "float32":
        return generator.normal(size=shape).astype(np.float32)
    ends = np.iinfo(dtype)
    return generator.integers(ends.min, ends.max, shape, dtype=dtype, endpoint=True)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("a.png", "L"),
        ("a.png", "LA"),
        ("a.png", "RGB"),
        ("a.png", "RGBA"),
        ("a.tif", "RGB"),
        ("a.tif", "RGBA"),
        ("a.tif", "L"),
        ("a.webp", "RGB"),
        ("a.bmp", "RGB"),
    ],
)
def test_files_of_8_bits_come_back_bit_for_bit(folder: Path, name: str, mode: str) -> None:
    bands = len(Image.new(mode, (1, 1)).getbands())
    samples = random_samples((7, 11, bands), "uint8")
    Image.frombytes(mode, (11, 7), samples.tobytes()).save(name, lossless=True)
    picture = read_stored(name)
    assert picture.colours == (bands - 1 if mode in ("LA", "RGBA") else bands)
    write_stored(f"out{name}", picture.plus(np.zeros((picture.colours, 7, 11), np.float32)))
    with Image.open(f"out{name}") as written:
        assert written.mode == mode
        assert np.array_equal(np.asarray(written).reshape(7, 11, bands), samples)


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_grey_of_16_bits_stays_so(folder: Path, name: str) -> None:
    samples = random_samples((7, 11), "uint16")
    Image.fromarray(samples).save(name)
    write_stored(f"out{name}", read_stored(name).plus(np.full((1, 7, 11), 100 / 65535, np.float32)))
    with Image.open(f"out{name}") as written:
        assert written.mode.startswith("I;16")
        assert np.array_equal(np.asarray(written), np.minimum(samples.astype(int) + 100, 65535))


def test_floats_stay_floats_and_what_is_no_number_stays_that(folder: Path) -> None:
    samples = random_samples((7, 11), "float32")
    samples[0, 0], samples[1, 1] = np.nan, np.inf
    Image.fromarray(samples).save("a.tif")
    picture = read_stored("a.tif")
    assert np.isfinite(picture.planes()).all()
    write_stored("out.tif", picture.plus(np.full((1, 7, 11), 0.5, np.float32)))
    with Image.open("out.tif") as written:
        assert written.mode == "F"
        expected = np.where(np.isfinite(samples), samples + np.float32(0.5), samples)
        assert np.allclose(np.asarray(written), expected, equal_nan=True, rtol=1e-6)


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
@pytest.mark.parametrize("bands", [3, 4])
def test_colours_of_16_bits_stay_so(folder: Path, name: str, bands: int) -> None:
    samples = random_samples((7, 11, bands), "uint16")
    modes = {3: "RGB", 4: "RGBA"}
    first = StoredPicture(samples, 3, modes[bands], 1, [], {"icc_profile": PROFILE})
    write_stored(name, first)
    picture = read_stored(name)
    assert np.array_equal(picture.samples, samples)
    write_stored(f"out{name}", picture.plus(np.full((3, 7, 11), -10 / 65535, np.float32)))
    expected = samples.astype(int)
    expected[..., :3] = np.maximum(expected[..., :3] - 10, 0)
    assert np.array_equal(read_stored(f"out{name}").samples, expected)
    with Image.open(f"out{name}") as written:
        assert written.info["icc_profile"] == PROFILE


@pytest.mark.parametrize("compression", ["raw", "tiff_adobe_deflate"])
def test_grey_of_16_bits_with_alpha_can_be_read_again_from_a_tiff(folder: Path, compression: str) -> None:
    samples = random_samples((7, 11, 2), "uint16")
    grey = b"\0" * 16 + b"GRAY" + b"\0" * 108
    write_stored("a.tif", StoredPicture(samples, 1, "LA", 1, [], {"compression": compression, "icc_profile": grey}))
    with Image.open("a.tif") as written:
        assert "icc_profile" not in written.info, "it is of grey, and colours are in the file"
    assert np.array_equal(read_stored("a.tif").samples, samples[..., [0, 0, 0, 1]])


@pytest.mark.parametrize("mode", ["CMYK", "LAB"])
def test_other_colours_become_rgb_and_the_note_says_so(folder: Path, mode: str) -> None:
    bands = len(Image.new(mode, (1, 1)).getbands())
    image = Image.frombytes(mode, (11, 7), random_samples((7, 11, bands), "uint8").tobytes())
    image.save("a.tif", icc_profile=PROFILE)
    picture = read_stored("a.tif")
    assert picture.notes == [f"{mode} becomes RGB"]
    write_stored("out.tif", picture)
    with Image.open("out.tif") as written:
        assert "icc_profile" not in written.info, "it describes other colours"
        assert np.array_equal(np.asarray(written), np.asarray(image.convert("RGB")))


def test_integers_of_32_bits_are_cut_to_16_and_the_note_says_so(folder: Path) -> None:
    samples = np.array([[-5, 0, 70000, 65535]], np.int32)
    Image.fromarray(samples).save("a.tif")
    picture = read_stored("a.tif")
    assert picture.notes == ["integers beyond 16 bits cut off"]
    write_stored("out.tif", picture)
    with Image.open("out.tif") as written:
        assert np.array_equal(np.asarray(written), np.clip(samples, 0, 65535))


@pytest.mark.parametrize("compression", ["raw", "tiff_adobe_deflate"])
def test_tiff_keeps_its_tags(folder: Path, compression: str) -> None:
    image = Image.fromarray(random_samples((7, 11, 3), "uint8"))
    image.save("a.tif", icc_profile=PROFILE, exif=exif().tobytes(), dpi=(300, 300))
    picture = read_stored("a.tif")
    picture.options["compression"] = compression  # Pillow writes no EXIF into compressed files
    write_stored("out.tif", picture)
    with Image.open("out.tif") as written:
        assert written.info["icc_profile"] == PROFILE
        assert written.info["compression"] == compression
        assert written.info["dpi"] == (300, 300)
        assert written.getexif()[CAMERA] == "Maker"
        assert float(written.getexif().get_ifd(EXIF_FOLDER)[EXPOSURE]) == 0.25
        assert np.array_equal(np.asarray(written), np.asarray(image))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
def test_profile_and_exif_are_kept(folder: Path, name: str) -> None:
    image = Image.fromarray(random_samples((16, 16, 3), "uint8"))
    image.save(name, icc_profile=PROFILE, exif=exif(), dpi=(300, 300))
    write_stored(f"out{name}", read_stored(name))
    with Image.open(name) as original, Image.open(f"out{name}") as written:
        assert written.info["icc_profile"] == PROFILE
        assert written.info["exif"] == original.info["exif"]
        if name != "a.webp":
            assert np.allclose(written.info["dpi"], (300, 300), atol=0.01)


def test_jpeg_keeps_its_quality(folder: Path) -> None:
    smooth = np.add.outer(np.arange(64), np.arange(64)).astype(np.uint8)
    Image.fromarray(np.stack([smooth, smooth, smooth], -1)).save("a.jpg", quality=91, subsampling=1)
    write_stored("out.jpg", read_stored("a.jpg"))
    with Image.open("a.jpg") as original, Image.open("out.jpg") as written:
        assert written.quantization == original.quantization  # pyright: ignore[reportAttributeAccessIssue]
        difference = np.asarray(original).astype(int) - np.asarray(written)
    assert np.abs(difference).max() <= 2


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_a_turned_picture_is_seen_upright_and_written_as_it_was(folder: Path, name: str, orientation: int) -> None:
    samples = random_samples((7, 11, 3), "uint8")
    Image.fromarray(samples).save(name, exif=exif(orientation))
    picture = read_stored(name)
    assert picture.samples.shape[:2] == ((11, 7) if orientation >= 5 else (7, 11))
    write_stored(f"out{name}", picture)
    with Image.open(name) as before, Image.open(f"out{name}") as written:
        assert written.getexif()[0x0112] == orientation
        # Pillow turns TIFF files upright itself.
        assert np.array_equal(np.asarray(written), np.asarray(before))


def test_palettes_become_colours_and_bilevel_grey(folder: Path) -> None:
    image = Image.fromarray(random_samples((7, 11, 3), "uint8")).convert("P")
    image.save("p.png", transparency=0)
    Image.fromarray(random_samples((7, 11), "uint8") > 99).save("b.png")
    assert read_stored("p.png").samples.shape == (7, 11, 4)
    assert read_stored("b.png").samples.shape == (7, 11, 1)
    assert kept_suffix(Path("x/p.gif")) == ".png"
    assert kept_suffix(Path("x/p.JPG")) == ".JPG"


def test_damaged_metadata_are_left_out_and_said_so(folder: Path) -> None:
    info = PngImagePlugin.PngInfo()
    info.add_text("note", "text")
    Image.new("L", (5, 4), 9).save("a.png", pnginfo=info)
    content = Path("a.png").read_bytes()
    Path("a.png").write_bytes(content.replace(b"note", b"nose"))
    picture = read_stored("a.png")
    assert any("damaged" in note for note in picture.notes)
    assert np.all(picture.samples == 9)


def test_what_cannot_be_read_or_written_is_refused(folder: Path) -> None:
    Path("a.png").write_text("no picture")
    with pytest.raises(DataError):
        read_stored("a.png")
    deep = StoredPicture(random_samples((4, 4, 3), "uint16"), 3, "RGB", 1, [], {})
    with pytest.raises(GlfftError, match="16 bits"):
        write_stored("out.jpg", deep)
    assert not Path("out.jpg").exists()


@pytest.mark.parametrize("target", [".png", ".jpg", ".jfif", ".tif", ".webp", ".avif", ".bmp", ".ppm", ".tga", ".jp2"])
@pytest.mark.parametrize("source", [".png", ".jpg", ".tif", ".webp"])
def test_a_turned_picture_is_upright_in_any_kind_of_file(folder: Path, source: str, target: str) -> None:
    samples = np.zeros((16, 24, 3), np.uint8)
    samples[:8, :8] = 255
    options = {".png": {}, ".tif": {}, ".jpg": {"quality": 100}, ".webp": {"lossless": True}}[source]
    Image.fromarray(samples).save(f"a{source}", exif=exif(6).tobytes(), **options)
    picture = read_stored(f"a{source}")
    assert picture.samples.shape == (24, 16, 3)
    write_stored(f"out{target}", picture)
    again = read_stored(f"out{target}")
    assert again.samples.shape == (24, 16, 3)
    assert np.abs(again.samples.astype(int) - picture.samples).mean() < 2
    with Image.open(f"out{target}") as written:
        data = written.getexif()
        kept = (data.get(CAMERA), float(data.get_ifd(EXIF_FOLDER).get(EXPOSURE, 0)))
    assert kept == ((None, 0) if target in (".bmp", ".ppm", ".tga", ".jp2") else ("Maker", 0.25))


def test_tiff_files_keep_the_resolution_of_others(folder: Path) -> None:
    Image.new("L", (5, 4)).save("a.png", dpi=(300, 300))
    write_stored("out.tif", read_stored("a.png"))
    with Image.open("out.tif") as written:
        assert written.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    Image.new("L", (5, 4)).save("b.tif")
    write_stored("out.png", read_stored("b.tif"))
    with Image.open("out.png") as written:
        assert "dpi" not in written.info


def test_damaged_exif_is_no_reason_to_fail(folder: Path) -> None:
    content = Image.Exif()
    content[CAMERA] = "Maker"
    for damaged in (content.tobytes()[:-4], content.tobytes()[:12], b"Exif\0\0rubbish", b"rubbish"):
        Image.new("RGB", (5, 4)).save("a.jpg", exif=damaged, icc_profile=PROFILE)
        for target in ("out.jpg", "out.tif", "out.png"):
            write_stored(target, read_stored("a.jpg"))
            with Image.open(target) as written:
                assert written.info["icc_profile"] == PROFILE


XMP = b'<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>'


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif", "a.webp"])
def test_xmp_is_kept_and_so_is_its_orientation(folder: Path, name: str) -> None:
    chunks = PngImagePlugin.PngInfo()
    chunks.add_itxt("XML:com.adobe.xmp", XMP.decode())
    options = {"a.png": {"pnginfo": chunks}, "a.tif": {"tiffinfo": {700: XMP}}}.get(name, {"xmp": XMP})
    Image.fromarray(random_samples((16, 24, 3), "uint8")).save(name, **options)
    picture = read_stored(name)
    assert picture.samples.shape == (24, 16, 3)
    write_stored(f"out{name}", picture)
    assert read_stored(f"out{name}").samples.shape == (24, 16, 3)
    with Image.open(f"out{name}") as written:
        assert written.info["xmp"] == XMP


def test_colours_under_transparent_pixels_stay_in_webp(folder: Path) -> None:
    samples = random_samples((16, 24, 4), "uint8")
    samples[:8, :, 3] = 0
    Image.fromarray(samples).save("a.webp", lossless=True, exact=True)
    write_stored("out.webp", read_stored("a.webp"))
    with Image.open("out.webp") as written:
        assert np.array_equal(np.asarray(written), samples)


def test_what_a_png_says_of_its_colours_stays(folder: Path) -> None:
    chunks = {b"gAMA": b"\0\1\x86\xa0", b"cHRM": bytes(range(32)), b"tEXt": b"Title\0a"}
    before = b"".join(png_chunk(name, data) for name, data in chunks.items())
    for depth, pixel in ((8, b"\0\1\2\3"), (16, b"\0\1\2\3\4\5\6")):
        Path("a.png").write_bytes(png_file(1, 1, pixel, depth=depth, colours=2, before=before))
        write_stored("out.png", read_stored("a.png"))
        assert before in Path("out.png").read_bytes()


@pytest.mark.parametrize(
    ("name", "dtype", "bands", "lost"),
    [
        ("out.bmp", "uint8", 4, "alpha"),
        ("out.ppm", "uint8", 4, "alpha"),
        ("out.pgm", "uint8", 2, "alpha"),
        ("out.jpg", "uint8", 4, "alpha"),
        ("out.pbm", "uint8", 4, "alpha"),
        ("out.gif", "uint8", 2, "alpha"),
        ("out.gif", "uint8", 4, "alpha"),
        ("out.gif", "uint8", 3, "colours"),
        ("out.webp", "uint16", 1, "16 bits"),
        ("out.gif", "uint16", 1, "16 bits"),
        ("out.ppm", "uint16", 3, "16 bits"),
        ("out.webp", "float32", 1, "floats"),
        ("out.avif", "float32", 1, "floats"),
        ("out.jpg", "float32", 1, "floats"),
        ("out.png", "float32", 1, "floats"),
        ("out.pgm", "float32", 1, "floats"),
        ("out.jp2", "float32", 1, "floats"),
    ],
)
def test_nothing_is_lost_without_a_word(folder: Path, name: str, dtype: str, bands: int, lost: str) -> None:
    picture = StoredPicture(random_samples((4, 4, bands), dtype), 1 if bands < 3 else 3, "RGB", 1, [])
    with pytest.raises(LimitError, match=f"^A {Path(name).suffix} file would lose .*{lost}; use .tif instead"):
        write_stored(name, picture)
    assert not Path(name).exists()


def test_colours_of_ppm_files_with_16_bits_are_said_to_lose_half(folder: Path) -> None:
    for kind, white, depth, notes in (
        (b"P6", 65535, 8, ["16-bit samples read as 8-bit"]),
        (b"P6", 255, 8, []),
        (b"P6", 15, 8, []),
        (b"P5", 1023, 16, []),
    ):
        Path("a.ppm").write_bytes(kind + b" 1 1 %d\n" % white + bytes(6))
        picture = read_stored("a.ppm")
        assert (picture.bit_depth, picture.notes) == (depth, notes)


def test_colours_of_cmyk_jpegs_stay_as_sharp(folder: Path) -> None:
    samples = np.zeros((16, 16, 4), np.uint8)
    samples[:, ::2, 0] = samples[:, 1::2, 1] = 200
    Image.fromarray(samples, "CMYK").save("a.jpg", quality=95)
    picture = read_stored("a.jpg")
    write_stored("out.jpg", picture)
    assert np.abs(read_stored("out.jpg").samples.astype(int) - picture.samples).max() <= 12


def test_float_pictures_of_pfm_stay_so(folder: Path) -> None:
    samples = random_samples((7, 11), "float32")
    Path("a.pfm").write_bytes(b"Pf\n11 7\n-1.0\n" + samples[::-1].tobytes())
    target = f"out{kept_suffix(Path('a.pfm'))}"
    write_stored(target, read_stored("a.pfm"))
    assert np.array_equal(read_stored(target).samples[..., 0], samples)


def test_float_pictures_of_kinds_that_are_not_written_become_tiff(folder: Path) -> None:
    samples = random_samples((7, 11), "float32")
    lines = ("SIMPLE  = T", "BITPIX  = -32", "NAXIS   = 2", "NAXIS1  = 11", "NAXIS2  = 7", "END")
    header = "".join(line.ljust(80) for line in lines).ljust(2880).encode()
    Path("a.fits").write_bytes(header + samples[::-1].astype(">f4").tobytes())
    Image.fromarray(samples).save("a.spi", format="SPIDER")
    for source in (Path("a.fits"), Path("a.spi")):
        target = f"out{kept_suffix(source)}"
        write_stored(target, read_stored(source))
        assert np.array_equal(read_stored(target).samples[..., 0], samples)


@pytest.mark.parametrize("interlaced", [False, True])
def test_grey_and_alpha_of_16_bits_stay_so(folder: Path, interlaced: bool) -> None:
    samples = random_samples((1, 1, 2) if interlaced else (7, 11, 2), "uint16")
    lines = b"".join(b"\0" + line.astype(">u2").tobytes() for line in samples)
    rows, columns, _ = samples.shape
    Path("a.png").write_bytes(png_file(columns, rows, lines, depth=16, colours=4, interlaced=interlaced))
    picture = read_stored("a.png")
    assert (picture.colours, picture.bit_depth, picture.notes) == (1, 16, [])
    assert np.array_equal(picture.samples, samples)
    write_stored("out.png", picture)
    assert np.array_equal(read_stored("out.png").samples, samples)


def test_no_tiff_file_links_to_a_folder_that_is_not_there(folder: Path) -> None:
    data = exif()
    data.get_ifd(EXIF_FOLDER)[40965] = {1: "R98"}  # of interoperability, as cameras write it
    Image.new("RGB", (8, 8)).save("a.jpg", exif=data)
    write_stored("out.tif", read_stored("a.jpg"))
    with Image.open("out.tif") as written:
        assert dict(written.getexif().get_ifd(EXIF_FOLDER)) == {EXPOSURE: 0.25}
