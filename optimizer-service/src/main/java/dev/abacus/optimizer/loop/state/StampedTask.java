package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;

/** A sample task with what the optimizer notes beside it. */
public record StampedTask(SampleTask task, SampleStamp stamp) {}
