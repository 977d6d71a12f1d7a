package dev.abacus.optimizer.sampler;

import dev.abacus.optimizer.sampler.Proposal.Conclusion;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The frontier of one operator, played from its first round on (paper, Algorithms 1 and 4).
 *
 * <p>A round gives every new arm j examples and every old one the next example; when all of them
 * are in, arms leave and others take their places. Each round follows from the rounds before it
 * alone, so playing all of them again over the known samples leads to where the search stands, with
 * nothing to be stored: known samples cost nothing, and the first unknown ones are what to ask for.
 */
final class OperatorFrontier {

  private static final int FUTILE_FRONTIERS = 2;

  private final Set<Dimension> dimensions;
  private final OperatorSituation situation;
  private final int size;
  private final int newArmExamples;

  private final List<PhysicalOperator> reservoir;
  private final Map<PhysicalOperator, ArmRecord> tried = new LinkedHashMap<>();
  private final Set<PhysicalOperator> frontier = new LinkedHashSet<>();

  private List<Pull> wanted = List.of();
  private @Nullable Conclusion conclusion;

  OperatorFrontier(
      Set<Dimension> dimensions,
      OperatorSituation situation,
      Reservoir reservoir,
      int size,
      int newArmExamples) {
    this.dimensions = dimensions;
    this.situation = situation;
    this.size = size;
    this.newArmExamples = newArmExamples;
    this.reservoir = new ArrayList<>(reservoir.order(situation.operator(), situation.arms()));
    play();
  }

  /** Pulls of the present round that were never asked for. */
  List<Pull> wanted() {
    return wanted;
  }

  /** Why there are no more rounds; null while there are. */
  @Nullable Conclusion conclusion() {
    return conclusion;
  }

  private void play() {
    if (situation.arms().isEmpty()) {
      conclusion = Conclusion.NO_IMPLEMENTATION;
      return;
    }
    if (situation.examples().isEmpty()) {
      conclusion = Conclusion.NO_EXAMPLE;
      return;
    }
    fill();
    while (conclusion == null) {
      List<Pull> round = deal();
      if (round.isEmpty()) {
        conclusion = Conclusion.EVERY_PAIR_SAMPLED;
      } else if (!complete(round)) {
        return;
      } else {
        dismiss();
        fill();
        conclude();
      }
    }
  }

  private void fill() {
    while (frontier.size() < size && !reservoir.isEmpty()) {
      PhysicalOperator arm = reservoir.removeFirst();
      frontier.add(arm);
      tried.put(arm, new ArmRecord());
    }
  }

  /** The next examples for all arms, by example first, so that a round cut short stays paired. */
  private List<Pull> deal() {
    List<String> examples = situation.examples();
    List<Pull> round = new ArrayList<>();
    for (int i = 0; i < examples.size(); i++) {
      for (PhysicalOperator arm : frontier) {
        int first = record(arm).assigned();
        if (i >= first && i < first + (first == 0 ? newArmExamples : 1)) {
          round.add(new Pull(situation.operator(), arm, examples.get(i)));
        }
      }
    }
    return round;
  }

  /** Takes the round's samples into account if all of them are known. */
  private boolean complete(List<Pull> round) {
    List<Pull> unknown = new ArrayList<>();
    boolean waiting = false;
    for (Pull pull : round) {
      Sample sample = situation.sample(pull.physical(), pull.exampleId());
      if (sample == null) {
        unknown.add(pull);
      }
      waiting |= sample == null || sample instanceof Sample.Outstanding;
    }
    if (waiting) {
      wanted = List.copyOf(unknown);
      return false;
    }
    for (Pull pull : round) {
      Sample sample = situation.sample(pull.physical(), pull.exampleId());
      if (sample != null) {
        record(pull.physical()).add(sample);
      }
    }
    return true;
  }

  private void dismiss() {
    ConfidenceBounds bounds = new ConfidenceBounds(dimensions, tried.values());
    List<PhysicalOperator> optimal = paretoOptimal();
    frontier.removeIf(arm ->
        record(arm).neverAnswered()
            || optimal.stream().anyMatch(other -> bounds.fallsShortOf(record(arm), record(other))));
  }

  /** By their means; arms with an unknown mean, or without any answer, are not among them. */
  private List<PhysicalOperator> paretoOptimal() {
    List<PhysicalOperator> known =
        frontier.stream()
            .filter(arm -> !record(arm).neverAnswered())
            .filter(arm -> dimensions.stream().allMatch(d -> record(arm).mean(d).count() > 0))
            .toList();
    return known.stream()
        .filter(arm -> known.stream().noneMatch(other -> dominates(record(other), record(arm))))
        .toList();
  }

  private boolean dominates(ArmRecord one, ArmRecord other) {
    boolean better = false;
    for (Dimension dimension : dimensions) {
      double mine = one.mean(dimension).value();
      double theirs = other.mean(dimension).value();
      if (dimension.better(theirs, mine)) {
        return false;
      }
      better |= dimension.better(mine, theirs);
    }
    return better;
  }

  /**
   * Ends the search where going on is futile. Two frontiers' worth of arms without a single answer
   * mean that the operator itself, or the way to the models, is broken.
   */
  private void conclude() {
    boolean answered =
        tried.values().stream().anyMatch(arm -> arm.observed() > 0 && !arm.neverAnswered());
    long failed = tried.values().stream().filter(ArmRecord::neverAnswered).count();
    if (!answered && (frontier.isEmpty() || failed >= FUTILE_FRONTIERS * (long) size)) {
      conclusion = Conclusion.ALL_FAILED;
    } else if (reservoir.isEmpty() && frontier.size() == 1 && allStarted()) {
      conclusion = Conclusion.ONE_LEFT;
    }
  }

  private boolean allStarted() {
    return frontier.stream().allMatch(arm -> record(arm).assigned() > 0);
  }

  private ArmRecord record(PhysicalOperator arm) {
    return Objects.requireNonNull(tried.get(arm));
  }
}
