/**
 * Personal data in documents.
 *
 * <p>{@link dev.abacus.schemas.redaction.Redaction} is what a program declares for a source. {@link
 * dev.abacus.schemas.redaction.PersonalData} finds the values of one kind in a text, and {@link
 * dev.abacus.schemas.redaction.RedactedDocument} replaces them by tokens and puts them back.
 */
@NullMarked
package dev.abacus.schemas.redaction;

import org.jspecify.annotations.NullMarked;
