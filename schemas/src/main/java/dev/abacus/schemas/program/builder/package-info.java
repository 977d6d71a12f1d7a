/**
 * Writes programs in Java. {@link dev.abacus.schemas.program.builder.ProgramBuilder} builds a
 * program, {@link dev.abacus.schemas.program.builder.OperatorBuilder} its operators and {@link
 * dev.abacus.schemas.program.builder.FieldBuilder} the fields that these write. The builders
 * collect the structure that a YAML program has, and {@link
 * dev.abacus.schemas.program.io.ProgramParser} checks it, so both forms have the same rules and the
 * same messages.
 */
@NullMarked
package dev.abacus.schemas.program.builder;

import org.jspecify.annotations.NullMarked;
