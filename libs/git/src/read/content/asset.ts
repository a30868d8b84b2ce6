/** Whether a file of that many bytes begins as one of its kind does. */
type Check = (start: Buffer, size: number) => boolean;

const begins = (bytes: string, at = 0): Check => {
  return (start) => start.toString("latin1", at, at + bytes.length) === bytes;
};
const all = (...checks: Check[]): Check => {
  return (start, size) => checks.every((check) => check(start, size));
};
const any = (...checks: Check[]): Check => {
  return (start, size) => checks.some((check) => check(start, size));
};

/** Its header says how many bytes it has, less what stands before them; a byte may fill it up. */
function counted(at: number, order: "LE" | "BE", before = 0): Check {
  return (start, size) => {
    if (start.length < at + 4) return false;
    const said = order === "LE" ? start.readUInt32LE(at) : start.readUInt32BE(at);
    return Math.abs(said + before - size) <= 1;
  };
}

const byteAt = (at: number, fits: (byte: number) => boolean): Check => {
  return (start) => start.length > at && fits(start.readUInt8(at));
};

const riff = (form: string) => all(begins("RIFF"), begins(form, 8), counted(4, "LE", 8));
const PNG = begins("\x89PNG\r\n\x1a\n");
const JPEG = begins("\xff\xd8\xff");
const TIFF = any(begins("II*\0"), begins("MM\0*"));
const icon = (kind: string) =>
  all(
    begins(`\0\0${kind}\0`),
    begins("\0", 5),
    byteAt(4, (images) => images > 0),
  );
const OGG = begins("OggS\0");
const MATROSKA = begins("\x1a\x45\xdf\xa3");
/** The size of its first part comes first, and that is small. */
const FTYP = all(begins("\0\0"), begins("ftyp", 4));
const MP3 = any(
  all(
    begins("ID3"),
    byteAt(3, (version) => version >= 2 && version <= 4),
    byteAt(4, (revision) => revision < 0xff),
  ),
  ...["\xff\xfb", "\xff\xf3", "\xff\xf2", "\xff\xfa"].map((bytes) => begins(bytes)),
);
const GIF = all(any(begins("GIF87a"), begins("GIF89a")), gifBlock);
const BMP = all(begins("BM"), counted(2, "LE"), begins("\0\0\0\0", 6), bmpHeader);
const TABLES = all(any(begins("\0\x01\0\0"), begins("true"), begins("OTTO")), fontTables);

/** After its colours come an extension, an image or the end. */
function gifBlock(start: Buffer): boolean {
  const flags = start[10];
  if (flags === undefined) return false;
  const colours = (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
  const next = start[13 + colours];
  return next === 0x21 || next === 0x2c || next === 0x3b;
}

const BMP_HEADERS = [12, 40, 52, 56, 64, 108, 124];

function bmpHeader(start: Buffer, size: number): boolean {
  if (start.length < 18) return false;
  const header = start.readUInt32LE(14);
  const pixels = start.readUInt32LE(10);
  return BMP_HEADERS.includes(header) && pixels >= 14 + header && pixels <= size;
}

const MOST_TABLES = 64;

/** How many tables it has, and the number that follows from that. */
function fontTables(start: Buffer, size: number): boolean {
  if (start.length < 8) return false;
  const tables = start.readUInt16BE(4);
  if (tables < 1 || tables > MOST_TABLES || 12 + 16 * tables > size) return false;
  return start.readUInt16BE(6) === 16 * 2 ** Math.floor(Math.log2(tables));
}

/** Images, fonts and media, by the ending of their names. */
const ASSETS: Readonly<Record<string, Check>> = {
  png: PNG,
  apng: PNG,
  jpg: JPEG,
  jpeg: JPEG,
  gif: GIF,
  webp: riff("WEBP"),
  ico: icon("\x01"),
  cur: icon("\x02"),
  icns: all(begins("icns"), counted(4, "BE")),
  bmp: BMP,
  tif: TIFF,
  tiff: TIFF,
  avif: FTYP,
  heic: FTYP,
  psd: begins("8BPS\0"),
  woff: all(begins("wOFF"), counted(8, "BE")),
  woff2: all(begins("wOF2"), counted(8, "BE")),
  ttf: TABLES,
  ttc: begins("ttcf\0"),
  otf: TABLES,
  eot: all(begins("LP", 34), counted(0, "LE")),
  mp3: MP3,
  wav: riff("WAVE"),
  ogg: OGG,
  oga: OGG,
  opus: OGG,
  flac: all(begins("fLaC"), begins("\0\0\x22", 5)),
  aac: any(begins("\xff\xf1"), begins("\xff\xf9")),
  m4a: FTYP,
  mp4: FTYP,
  m4v: FTYP,
  mov: FTYP,
  webm: MATROSKA,
  mkv: MATROSKA,
  avi: riff("AVI "),
};

/** So many bytes from the start of a file tell what it is. */
export const MAGIC_BYTES = 1024;

/** Whether a file is an image, a font or media, by its name and by what it begins with. */
export function isAsset(path: string, { start, size }: { start: Buffer; size: number }): boolean {
  return ASSETS[endingOf(path)]?.(start, size) ?? false;
}

function endingOf(path: string): string {
  const dot = path.lastIndexOf(".");
  const ending = dot < 0 ? "" : path.slice(dot + 1).toLowerCase();
  return Object.hasOwn(ASSETS, ending) ? ending : "";
}
