package dev.abacus.optimizer.governor;

import static dev.abacus.optimizer.governor.GovernedWorld.CAP;
import static dev.abacus.optimizer.governor.GovernedWorld.GROUPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.ControlRecord;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the governor does as a program comes near its spending cap. */
class SpendingCapTest {

  @Test
  void itSwitchesDownBeforeTheCapPausesAtItAndIsBackInTheNextWindow() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.pass(60).documents(1, 55).pass(60);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");
    assertThat(world.active.by()).isEqualTo("governor");
    assertThat(world.active.reason()).contains("of $1.0000 per hour are spent");
    assertThat(world.pause).isNull();

    world.documents(world.active.epoch(), 1200).pass(10);
    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason()).contains("next window");

    world.pass(1800);
    assertThat(world.pause).isNotNull();
    world.pass(1900);
    assertThat(world.pause).isNull();
    assertThat(world.model()).isEqualTo("gpt-4o");
    assertThat(world.active.reason()).contains("back to the plan of epoch 1");
  }

  @Test
  void aCapInTokensPausesUntilTheNextWindow() throws Exception {
    GovernedWorld world = new GovernedWorld("budget: { spending: { tokens: 100_000, per: hour } }");
    world.pass(60);
    world.tokens = 99_000;
    world.documents(1, 99).pass(60);
    assertThat(world.pause).isNull();

    world.tokens = 101_000;
    world.documents(1, 2).pass(10).restart().pass(10);
    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason())
        .contains("101,000 of 100,000 tokens per hour are spent", "next window");

    world.pass(3600);
    assertThat(world.pause).isNull();
  }

  @Test
  void aNewWindowResumesHoweverManyDocumentsArePending() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.pass(60).documents(1, 130).pass(10);
    assertThat(world.pause).isNotNull();

    world.pending = 100_000;
    world.pass(3600);

    assertThat(world.pause).isNull();
  }

  @Test
  void ofTwoCapsTheFirstThatIsReachedPauses() throws Exception {
    GovernedWorld world =
        new GovernedWorld("budget: { spending: { usd: 1, tokens: 1_000_000, per: hour } }");
    world.pass(60);
    world.tokens = 5_000;
    world.documents(1, 120).pass(10);

    assertThat(world.pause).isNotNull();
    assertThat(Objects.requireNonNull(world.pause).reason())
        .contains("of $1.0000 and 5,000 of 1,000,000 tokens per hour are spent");
  }

  /**
   * 1,200 documents cost 0.0005 each, in groups of 20, and 100 documents wait. If a group's cost
   * were that of a document, they would need 1 dollar of the remaining 0.40.
   */
  @Test
  void theForecastCountsSourceDocumentsAndNotGroups() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP, GROUPS);
    world.lag = 100;
    world.pass(3300).groups(1, 60, 20, 0.05).pass(10);

    assertThat(world.moves).isEmpty();

    world.groups(1, 39, 20, 0.05).pass(10);
    assertThat(world.pause).as("a group would not fit under the cap, a document does").isNull();
  }

  /** Ten results of each document are no reason to expect ten times as many documents. */
  @Test
  void theForecastCountsSourceDocumentsAndNotResults() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.documents(1, 1).pass(2700).documents(1, 55);
    world.done += 9 * 56;
    world.pass(600);

    assertThat(world.moves).isEmpty();
  }

  @Test
  void aRestartForgetsNothingThatWasSpent() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.pass(60).documents(1, 99).pass(10).restart().pass(10);
    assertThat(world.pause).isNull();

    world.documents(world.active.epoch(), 30).pass(10);

    assertThat(world.pause).isNotNull();
  }

  @Test
  void aSlowPaceIsLeftAlone() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.documents(1, 1).pass(2700).documents(1, 55).pass(600);

    assertThat(world.moves).isEmpty();
  }

  @Test
  void aUsersPauseIsNotLifted() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.pause = new ControlRecord.Paused("p", true);

    world.pass(7200);

    assertThat(world.pause).isNotNull();
  }
}
