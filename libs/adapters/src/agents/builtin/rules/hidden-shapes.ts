/** Scripts whose letters are told to join or not. */
const HANDS_ON = scripts(
  ["Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu"],
  ["Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan", "Hebrew"],
);
const WITHOUT_SPACES = scripts(["Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]);
const RIGHT_TO_LEFT = scripts(["Arabic", "Hebrew", "Syriac", "Thaana", "Nko"]);
const PICTURE = "\\p{Extended_Pictographic}";
const SKIN = "\\u{1f3fb}-\\u{1f3ff}";

/** What readers do not see and programs do: its name, and where it counts. Each is compiled with the flag `u`. */
const SHAPES: readonly [string, string][] = [
  ["NUL", "\\u0000"],
  ["bidirectional control", "[\\u202a-\\u202e\\u2066-\\u2069]"],
  // The flags of England, Scotland and Wales are made of tags.
  ["tag", "[\\u{e0000}-\\u{e00ff}](?<!\\u{1f3f4}[\\u{e0030}-\\u{e007f}]{1,7})"],
  ["variation selector", "[\\u{e0100}-\\u{e01ef}](?<!\\p{Script=Han}[\\u{e0100}-\\u{e01ef}])"],
  [
    "variation selector",
    `[\\ufe00-\\ufe0f](?<!(?![\\0-\\x7f])[\\p{S}\\p{Script=Han}\\p{Script=Myanmar}${PICTURE}][\\ufe00-\\ufe0f])(?<![0-9#*]\\ufe0f(?=\\u20e3))`,
  ],
  ["zero-width", "[\\u2060-\\u2065\\ufeff\\u3164\\uffa0]"],
  ["zero-width", `\\u200b(?<![${WITHOUT_SPACES}]\\u200b(?=[${WITHOUT_SPACES}]))`],
  // Letters of some scripts are told to join or not, and pictures to be one.
  [
    "zero-width",
    `[\\u200c\\u200d](?<![${HANDS_ON}][\\u200c\\u200d](?![\\w$]))(?<!${PICTURE}[\\ufe0f${SKIN}]?\\u200d(?=${PICTURE}))`,
  ],
  ["zero-width", "[\\u200e\\u200f]{3}"],
  // A mark of direction is part of languages, and of no name in a program.
  [
    "zero-width",
    `[\\u200e\\u200f](?:(?<=[\\w$].)|(?=[\\w$]))(?<![${RIGHT_TO_LEFT}].{0,40})(?!.{0,40}[${RIGHT_TO_LEFT}])`,
  ],
];

/** Any of them. */
export const HIDDEN = new RegExp(SHAPES.map(([, shape]) => shape).join("|"), "u");

/** How the first of them on a line is called. */
export function nameOfHidden(text: string): string {
  const at = HIDDEN.exec(text)?.index;
  const named = SHAPES.find(([, shape]) => new RegExp(shape, "u").exec(text)?.index === at);
  return named?.[0] ?? "hidden";
}

function scripts(...names: string[][]): string {
  return names
    .flat()
    .map((name) => `\\p{Script=${name}}`)
    .join("");
}
