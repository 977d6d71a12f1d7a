/**
 * The documents that flow: {@link dev.abacus.schemas.document.Document}, then {@link
 * dev.abacus.schemas.document.Image} for what a dictionary cannot say by itself.
 */
@NullMarked
package dev.abacus.schemas.document;

import org.jspecify.annotations.NullMarked;
