/**
 * Bounded parsing. Every byte from a topic or a file passes {@link
 * dev.abacus.schemas.input.BoundedJson} or {@link dev.abacus.schemas.input.BoundedYaml}, so that no
 * text can exhaust the stack or the memory of its reader. {@link
 * dev.abacus.schemas.input.RequiredFields} then checks that a record has all its fields. A {@link
 * dev.abacus.schemas.input.Keyword} is a constant that texts name.
 */
@NullMarked
package dev.abacus.schemas.input;

import org.jspecify.annotations.NullMarked;
