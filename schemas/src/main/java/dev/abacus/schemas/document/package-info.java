/**
 * Documents: {@link dev.abacus.schemas.document.Document} and {@link
 * dev.abacus.schemas.document.Media}, a value of a document. {@link
 * dev.abacus.schemas.document.Sha256} tells equal contents, {@link
 * dev.abacus.schemas.document.JsonParts} copies lists and objects with changes.
 */
@NullMarked
package dev.abacus.schemas.document;

import org.jspecify.annotations.NullMarked;
