/**
 * Reads, checks and writes programs as YAML or JSON. Read {@link
 * dev.abacus.schemas.program.io.YamlNode}, a syntax tree that reports every mistake with its line,
 * then {@link dev.abacus.schemas.program.io.ProgramParser} with its readers and checks, and {@link
 * dev.abacus.schemas.program.io.ProgramWriter}.
 */
@NullMarked
package dev.abacus.schemas.program.io;

import org.jspecify.annotations.NullMarked;
