/** The log of a project, and what SQLite reads with it. */
export const LOG_FILES = ["db", "db-wal", "db-shm", "db-journal", "lock"].map((name) => `.automaker/anneal.${name}`);
