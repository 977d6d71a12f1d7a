/**
 * Data files of users: {@link dev.abacus.deploy.file.JsonLines} reads and writes JSON Lines, and
 * reads CSV with {@code CsvTable}; {@link dev.abacus.deploy.file.InvalidFileException} reports all
 * mistakes of a file with their lines.
 */
@NullMarked
package dev.abacus.deploy.file;

import org.jspecify.annotations.NullMarked;
