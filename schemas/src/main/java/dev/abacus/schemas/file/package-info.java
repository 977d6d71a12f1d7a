/**
 * Files in documents as operators read them: {@link dev.abacus.schemas.file.FileReading} is what a
 * source states of them, {@link dev.abacus.schemas.file.Pdf} reads PDFs as text or as images of
 * their pages, {@code Html} the text of web pages, {@link dev.abacus.schemas.file.Sound} the length
 * of sounds.
 *
 * <p>Files come from strangers: {@link dev.abacus.schemas.file.Inflation} bounds what they take in
 * memory before a library reads them.
 */
@NullMarked
package dev.abacus.schemas.file;

import org.jspecify.annotations.NullMarked;
