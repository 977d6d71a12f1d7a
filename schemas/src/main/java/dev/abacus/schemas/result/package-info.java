/**
 * The Avro schema of the results of a program: {@link dev.abacus.schemas.result.ResultSchema}
 * derives it from the program and the schemas of its sources.
 */
@NullMarked
package dev.abacus.schemas.result;

import org.jspecify.annotations.NullMarked;
