/** What files of a kind begin with; `at` is how many bytes come before that. */
interface Magic {
  at?: number;
  bytes: string;
}

const RIFF: Magic = { bytes: "RIFF" };
const FTYP: Magic = { at: 4, bytes: "ftyp" };
const ID3: Magic[] = [
  { bytes: "ID3" },
  { bytes: "\xff\xfb" },
  { bytes: "\xff\xf3" },
  { bytes: "\xff\xf2" },
  { bytes: "\xff\xfa" },
];
const MATROSKA: Magic = { bytes: "\x1a\x45\xdf\xa3" };

/** Images, fonts and media, by the ending of their names. */
const ASSETS: Readonly<Record<string, readonly Magic[]>> = {
  png: [{ bytes: "\x89PNG\r\n\x1a\n" }],
  apng: [{ bytes: "\x89PNG\r\n\x1a\n" }],
  jpg: [{ bytes: "\xff\xd8\xff" }],
  jpeg: [{ bytes: "\xff\xd8\xff" }],
  gif: [{ bytes: "GIF87a" }, { bytes: "GIF89a" }],
  webp: [RIFF],
  ico: [{ bytes: "\0\0\x01\0" }],
  cur: [{ bytes: "\0\0\x02\0" }],
  icns: [{ bytes: "icns" }],
  bmp: [{ bytes: "BM" }],
  tif: [{ bytes: "II*\0" }, { bytes: "MM\0*" }],
  tiff: [{ bytes: "II*\0" }, { bytes: "MM\0*" }],
  avif: [FTYP],
  heic: [FTYP],
  psd: [{ bytes: "8BPS" }],
  woff: [{ bytes: "wOFF" }],
  woff2: [{ bytes: "wOF2" }],
  ttf: [{ bytes: "\0\x01\0\0" }, { bytes: "true" }],
  ttc: [{ bytes: "ttcf" }],
  otf: [{ bytes: "OTTO" }, { bytes: "\0\x01\0\0" }],
  eot: [{ at: 34, bytes: "LP" }],
  mp3: ID3,
  wav: [RIFF],
  ogg: [{ bytes: "OggS" }],
  oga: [{ bytes: "OggS" }],
  opus: [{ bytes: "OggS" }],
  flac: [{ bytes: "fLaC" }],
  aac: [{ bytes: "\xff\xf1" }, { bytes: "\xff\xf9" }],
  m4a: [FTYP],
  mp4: [FTYP],
  m4v: [FTYP],
  mov: [FTYP],
  webm: [MATROSKA],
  mkv: [MATROSKA],
  avi: [RIFF],
};

/** So many bytes from the start of a file tell what it is. */
export const MAGIC_BYTES = 64;

/** Whether a file is an image, a font or media, by its name and by what it begins with. */
export function isAsset(path: string, start: Buffer): boolean {
  const magics = ASSETS[endingOf(path)] ?? [];
  return magics.some(({ at = 0, bytes }) => start.toString("latin1", at, at + bytes.length) === bytes);
}

function endingOf(path: string): string {
  const dot = path.lastIndexOf(".");
  const ending = dot < 0 ? "" : path.slice(dot + 1).toLowerCase();
  return Object.hasOwn(ASSETS, ending) ? ending : "";
}
