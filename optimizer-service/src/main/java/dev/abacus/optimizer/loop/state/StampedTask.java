package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;

/** A sample task with its metadata. */
public record StampedTask(SampleTask task, SampleStamp stamp) {

  /** An implementation in the search, or along whole plans: its samples are read together. */
  record Group(String operator, String physical, boolean alongPlan) {}

  Group group() {
    return new Group(task.operator().id(), task.physical().id(), stamp.alongPlan());
  }
}
