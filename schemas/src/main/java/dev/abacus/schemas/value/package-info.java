/** The values of records in every format: {@link dev.abacus.schemas.value.RecordValues}. */
@NullMarked
package dev.abacus.schemas.value;

import org.jspecify.annotations.NullMarked;
