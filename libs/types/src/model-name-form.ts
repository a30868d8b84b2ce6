/** What a model may be called. Never a dash first: programs would take it for an option. */
export const MODEL_NAME: RegExp = /^[A-Za-z0-9@][A-Za-z0-9._:/@+[\]-]{0,199}$/;

/** The same in words. */
export const MODEL_NAME_FORM =
  "a model's name consists of letters, digits and . _ : / @ + - [ ], at most 200 of them, and begins with a letter, a digit or @";
