/**
 * What a worker records of some documents: {@link dev.abacus.schemas.journey.Journey} is a record
 * on the topic of journeys of a program.
 */
@NullMarked
package dev.abacus.schemas.journey;

import org.jspecify.annotations.NullMarked;
