package dev.abacus.optimizer.page.http;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Three dead letters that can be replayed once, and one that cannot. */
final class ReplayFixture implements PageServer.Replays {

  private final List<String> replayed = new CopyOnWriteArrayList<>();
  private volatile String refusal = "";

  void refuse(String reason) {
    refusal = reason;
  }

  /** The programs whose letters were replayed. */
  List<String> replayed() {
    return replayed;
  }

  @Override
  public DeadLetterReplay.Letters pending(Program program) {
    if (!refusal.isEmpty()) {
      throw new IllegalStateException(refusal);
    }
    return replayed.isEmpty()
        ? new DeadLetterReplay.Letters(3, 1)
        : new DeadLetterReplay.Letters(0, 0);
  }

  @Override
  public DeadLetterReplay.Letters replay(Program program) {
    DeadLetterReplay.Letters pending = pending(program);
    replayed.add(program.name());
    return pending;
  }
}
