package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;

/** A sample task with its metadata. */
public record StampedTask(SampleTask task, SampleStamp stamp) {}
