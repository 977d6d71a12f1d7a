/**
 * Declarative programs and what an operator declares about itself. Read {@link
 * dev.abacus.schemas.program.Program} and {@link dev.abacus.schemas.program.Settings}, then {@link
 * dev.abacus.schemas.program.LogicalOperator} and its records, {@link
 * dev.abacus.schemas.program.FieldType} for the fields that operators write, and {@link
 * dev.abacus.schemas.program.Stages}, which divides a program into the stages that run on Kafka
 * Streams. {@code program.io} reads and writes programs; {@code program.aggregate} computes
 * relational aggregates.
 */
@NullMarked
package dev.abacus.schemas.program;

import org.jspecify.annotations.NullMarked;
