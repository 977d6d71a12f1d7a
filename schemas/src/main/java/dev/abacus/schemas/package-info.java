/**
 * The vocabulary that both planes share. Read the packages in this order: {@code document}, {@code
 * objective}, {@code program} with {@code program.io} and {@code program.aggregate}, {@code plan},
 * {@code observation}, {@code control}, {@code catalogue}, {@code kafka}, {@code avro}, {@code
 * result}.
 */
@NullMarked
package dev.abacus.schemas;

import org.jspecify.annotations.NullMarked;
