// Writes a file of so many bytes in one atomic step.
import { writeAtomic } from "../files/atomic.ts";

const [path = "", bytes = "0"] = process.argv.slice(2);
try {
  await writeAtomic(path, "n".repeat(Number(bytes)));
  console.log("written");
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  console.log(`failed ${code}: ${message}`);
}
