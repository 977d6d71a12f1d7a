/**
 * The catalogue of models: {@link dev.abacus.schemas.catalogue.ModelCard} and {@link
 * dev.abacus.schemas.catalogue.ModelCatalogue}. The data plane calls and prices models with it; the
 * optimizer generates implementations from it.
 */
@NullMarked
package dev.abacus.schemas.catalogue;

import org.jspecify.annotations.NullMarked;
