/**
 * What happens to a program, in reading order: {@link dev.abacus.optimizer.loop.event.LoopEvent}s,
 * of which {@link dev.abacus.optimizer.loop.event.DrawnSample} is one; {@link
 * dev.abacus.optimizer.loop.event.SampleLedger} folds those about samples. {@link
 * dev.abacus.optimizer.loop.event.ContentHashes} tell which samples count, {@link
 * dev.abacus.optimizer.loop.event.ExampleIds} where an example comes from, {@link
 * dev.abacus.optimizer.loop.event.Arrivals} how many documents come.
 */
@NullMarked
package dev.abacus.optimizer.loop.event;

import org.jspecify.annotations.NullMarked;
