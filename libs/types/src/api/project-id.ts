import { z } from "zod";

/** A project's name in addresses. */
export const ProjectId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, "a project's id consists of lower-case letters, digits and dashes");
