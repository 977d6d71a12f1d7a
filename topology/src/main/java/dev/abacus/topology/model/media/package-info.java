/**
 * Files of documents on their way to models. Read {@link
 * dev.abacus.topology.model.media.MediaPolicy} (which files are allowed) first, then {@link
 * dev.abacus.topology.model.media.MediaModelClient}, which applies it to requests, and fetches
 * files and draws the pages of PDFs.
 */
@NullMarked
package dev.abacus.topology.model.media;

import org.jspecify.annotations.NullMarked;
