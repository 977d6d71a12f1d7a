package dev.abacus.optimizer.governor;

import dev.abacus.schemas.program.Program.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of one program have to do, as far as their reports tell.
 *
 * @param sources of the program
 * @param hasHorizon whether the program has to know how many documents arrive
 * @param paused whether documents are not processed on purpose
 * @param instances number of workers that reported in the last minute
 * @param pending admitted documents that are not finished. Without a worker, those of the last
 *     reports
 * @param application id of the application that takes new documents; null before the first report
 * @param seconds time that a document spends in the operators, without waiting: measured, or
 *     estimated before enough documents are measured; null without a plan
 */
public record Workload(
    List<Source> sources,
    boolean hasHorizon,
    boolean paused,
    int instances,
    long pending,
    @Nullable String application,
    @Nullable Double seconds) {
  public Workload {
    sources = List.copyOf(sources);
  }
}
