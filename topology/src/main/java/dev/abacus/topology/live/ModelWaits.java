package dev.abacus.topology.live;

import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.runtime.WorkContext;

/**
 * Lets work give up its place among the concurrent ones while it waits for a model or for the
 * schema registry.
 */
public final class ModelWaits {

  private ModelWaits() {}

  public static WaitListener of(WorkContext context) {
    return new WaitListener() {
      @Override
      public void waiting() {
        context.waiting();
      }

      @Override
      public void resumed() {
        context.resumed();
      }
    };
  }
}
