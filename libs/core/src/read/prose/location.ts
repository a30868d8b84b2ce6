/** A file with a line, in any of the forms in which tools and models write it. */
export function namesLocation(text: string): boolean {
  return PLACE.test(text);
}

const PLACE =
  /[\w)\]-]\.[a-z]\w{0,9}[`*)\]]{0,3}(?:\s?[:(#]\s?(?:l|lines?\s)?|,?\s(?:at\s|on\s)?(?:l|lines?\s))\d|\blines? \d|^\W*[\w/-]+:\d+:/i;
