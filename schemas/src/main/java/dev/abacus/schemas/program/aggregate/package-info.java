/**
 * Computes the document of a group without a model. Read {@link
 * dev.abacus.schemas.program.aggregate.GroupKey}, {@link
 * dev.abacus.schemas.program.aggregate.Accumulator}, {@link
 * dev.abacus.schemas.program.aggregate.GroupDocument}. The data plane computes live groups with it
 * and the optimizer computes the groups that it samples, so both get the same documents.
 */
@NullMarked
package dev.abacus.schemas.program.aggregate;

import org.jspecify.annotations.NullMarked;
