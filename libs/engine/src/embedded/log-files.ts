/** The log of a project, what SQLite reads with it, and the folder of the texts that it names. */
export const LOG_FILES = [
  ...["db", "db-wal", "db-shm", "db-journal", "lock"].map((name) => `.automaker/anneal.${name}`),
  ".automaker/blobs/",
];
