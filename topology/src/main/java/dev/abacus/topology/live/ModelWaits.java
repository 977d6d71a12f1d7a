package dev.abacus.topology.live;

import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.runtime.WorkContext;

/**
 * Lets work give up its place among the concurrent ones while it waits for a model or for the
 * schema registry, and make calls while its task is owned.
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

      @Override
      public void attempt() throws InterruptedException {
        context.receipts().attempt();
      }
    };
  }
}
