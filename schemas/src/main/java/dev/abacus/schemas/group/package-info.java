/**
 * What an aggregate makes of a group of documents, without a model: read {@link
 * dev.abacus.schemas.group.GroupKey}, {@link dev.abacus.schemas.group.Accumulator}, {@link
 * dev.abacus.schemas.group.GroupDocument}. The data plane does it with windows and a store, the
 * optimizer with the few examples that it samples an aggregate on: both must get the same.
 */
@NullMarked
package dev.abacus.schemas.group;

import org.jspecify.annotations.NullMarked;
