/**
 * JSON Lines files of users: {@link dev.abacus.deploy.file.JsonLines} reads and writes them, {@link
 * dev.abacus.deploy.file.InvalidFileException} reports the invalid line.
 */
@NullMarked
package dev.abacus.deploy.file;

import org.jspecify.annotations.NullMarked;
