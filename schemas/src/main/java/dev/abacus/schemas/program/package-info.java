/**
 * Programs: what users ask for. Read {@link dev.abacus.schemas.program.Program}, then {@link
 * dev.abacus.schemas.program.LogicalOperator} and its kinds, then {@link
 * dev.abacus.schemas.program.FieldType} for what operators write, and last {@link
 * dev.abacus.schemas.program.ProgramParser} and {@link dev.abacus.schemas.program.ProgramWriter}
 * for the YAML and JSON forms.
 */
@NullMarked
package dev.abacus.schemas.program;

import org.jspecify.annotations.NullMarked;
