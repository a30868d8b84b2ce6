// Nobody's keys, but such as look like working ones; put together here so that no file of ours holds them.
export const DUMMY = ["ghp", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"].join("_");
export const OTHER = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");

export const FILE = "src/token.js";
export const code = (token: string) => `export const token = "${token}";\n`;

/** A step of a script that writes one file. */
export const writes = (role: string, content: string, path = FILE) => ({
  role,
  answer: "Wrote it.\n",
  edits: [{ path, content }],
});
