/**
 * The models that programs may name, as data: {@link dev.abacus.schemas.catalogue.ModelCard} and
 * {@link dev.abacus.schemas.catalogue.ModelCatalogue}. Both planes need it: one to call and price,
 * the other to know what there is to choose from.
 */
@NullMarked
package dev.abacus.schemas.catalogue;

import org.jspecify.annotations.NullMarked;
