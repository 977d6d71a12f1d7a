/**
 * Documents: {@link dev.abacus.schemas.document.Document}, {@link
 * dev.abacus.schemas.document.Media}, a value of a document, and {@link
 * dev.abacus.schemas.document.Draw}, which chooses a share of documents.
 */
@NullMarked
package dev.abacus.schemas.document;

import org.jspecify.annotations.NullMarked;
