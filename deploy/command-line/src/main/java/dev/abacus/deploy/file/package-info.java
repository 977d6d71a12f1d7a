/**
 * Files that users give and get: {@link dev.abacus.deploy.file.JsonLines} reads JSON Lines and
 * {@link dev.abacus.deploy.file.InvalidFileException} says where a file is wrong.
 */
@NullMarked
package dev.abacus.deploy.file;

import org.jspecify.annotations.NullMarked;
