package dev.abacus.optimizer.governor;

import static dev.abacus.optimizer.governor.GovernedWorld.CAP;
import static dev.abacus.optimizer.governor.GovernedWorld.GROUPS;
import static dev.abacus.optimizer.governor.GovernedWorld.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.plan.PlanChoice;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The governor as a fold: reports and time go in, moves come out. */
class GovernorTest {

  @Test
  void theWorkloadOfGroupsIsBySourceDocument() throws Exception {
    GovernedWorld world = new GovernedWorld("", GROUPS);
    world.pass(10).groups(1, 60, 20, 0.5).pass(10);

    assertThat(world.governor.workload(world.situation(), world.now).seconds())
        .isCloseTo(2, within(1e-9));
  }

  @Test
  void aSurgeIsMetWithEverFasterPlansAndItsEndWithTheOldOne() throws Exception {
    GovernedWorld world = new GovernedWorld("governor: { lag: 1000 }");
    world.pass(30);
    assertThat(world.moves).isEmpty();

    world.lag = 5000;
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    assertThat(world.active.reason()).contains("5000 documents wait, 1000 may");
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");

    world.lag = 700;
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");
    world.lag = 10;
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-4o");
    assertThat(world.active.epoch()).isEqualTo(1);
  }

  @Test
  void callsGoToTheStandardTierWhileDocumentsFallBehind() throws Exception {
    GovernedWorld world = new GovernedWorld("governor: { lag: 1000 }");
    PlanChoice flex = world.plan("gpt-5-nano@flex", 0.8, 0.001, 9);
    PlanChoice standard = world.plan("gpt-5-nano", 0.8, 0.002, 3);
    PlanChoice faster = world.plan("gpt-4.1-nano", 0.6, 0.0004, 1);
    world.publish(1, flex, List.of(flex, faster, standard));
    world.pass(30);
    assertThat(world.moves).isEmpty();

    world.lag = 5000;
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-5-nano");
    assertThat(world.active.reason())
        .contains("5000 documents wait, 1000 may: the same answers at another service tier");

    world.lag = 10;
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-5-nano@flex");
    assertThat(world.active.epoch()).isEqualTo(1);
  }

  @Test
  void aModelWhoseCallsFailIsAvoidedForAWhileAndLongerTheNextTime() throws Exception {
    GovernedWorld world = new GovernedWorld("");
    world.pass(30);
    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, true));
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    assertThat(world.active.reason()).contains("calls of gpt-4o fail");

    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, false));
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o");

    world.models = List.of(new ModelHealth("gpt-4o", 60, 40, true));
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    world.models = List.of();
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");
    world.pass(120);
    assertThat(world.model()).isEqualTo("gpt-4o");
  }

  @Test
  void aClockThatIsSetBackDoesNotProlongTheTimeInWhichAModelIsAvoided() throws Exception {
    GovernedWorld world = new GovernedWorld("");
    world.now = NOON.plus(Duration.ofDays(1));
    world.pass(30);
    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, true));
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");

    world.now = NOON;
    world.models = List.of();
    world.pass(240);
    assertThat(world.model()).isEqualTo("gpt-4o");
  }

  @Test
  void aPlanThatAUserActivatedIsLeftAloneButTheCapHolds() throws Exception {
    GovernedWorld world = new GovernedWorld(CAP);
    world.active = new ControlRecord.Activated("p", 1, 1, "rollback", "ada");
    world.models = List.of(new ModelHealth("gpt-4o", 40, 20, true));

    world.pass(20).documents(1, 110).pass(100);

    assertThat(world.active.by()).isEqualTo("ada");
    assertThat(world.pause).isNotNull();
  }

  @Test
  void theSameReportsGiveTheSameMovesAlsoAcrossRestarts() throws Exception {
    GovernedWorld one = new GovernedWorld(CAP);
    GovernedWorld other = new GovernedWorld(CAP);
    for (int i = 0; i < 30; i++) {
      one.documents(one.active.epoch(), 7).pass(30);
      other.documents(other.active.epoch(), 7).pass(30).restart();
    }

    assertThat(other.moves).isEqualTo(one.moves).isNotEmpty();
    assertThat(Duration.between(NOON, one.now)).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void theWorkloadCountsWhatTheLastWorkersLeft() throws Exception {
    GovernedWorld world = new GovernedWorld("");
    world.pending = 7;
    world.step();
    assertThat(world.governor.workload(world.situation(), NOON))
        .extracting(Workload::instances, Workload::pending, Workload::seconds)
        .containsExactly(1, 7L, 4.0);

    world.documents(1, 100, 2, 0).step();
    Instant later = NOON.plusSeconds(3600);
    Workload without = world.governor.workload(world.situation(), later);
    assertThat(without.instances()).isZero();
    assertThat(without.pending()).isEqualTo(7);
    assertThat(without.seconds()).as("measured").isCloseTo(8, within(0.1));
  }

  @Test
  void theStateForgetsWorkersThatAreGone() {
    Governor governor = new Governor(GovernorSettings.DEFAULTS, GovernorState.START);
    for (int i = 0; i < 1000; i++) {
      Instant at = NOON.plus(Duration.ofHours(i));
      governor.take(
          InstanceStatus.builder("p", "worker-" + i, at, "RUNNING").costUsd(1).results(1).build());
      assertThat(governor.forget()).hasSizeLessThan(2);
      governor = new Governor(GovernorSettings.DEFAULTS, governor.state());
    }

    assertThat(governor.state().readings()).hasSizeLessThan(200).containsKey("worker-999");
    assertThat(governor.state().spending().spent()).isEqualTo(1000);
  }

  @Test
  void theStateIsTheSameWhileNothingHappens() {
    Governor governor = new Governor(GovernorSettings.DEFAULTS, GovernorState.START);
    Set<GovernorState> states = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      governor.take(InstanceStatus.builder("p", "w", NOON.plusSeconds(i), "RUNNING").build());
      states.add(governor.state());
    }
    assertThat(states).hasSize(1);
  }

  @Test
  void aSurgeIsMetAlsoAfterTheClockWasSetBack() throws Exception {
    GovernedWorld world = new GovernedWorld("governor: { lag: 1000 }");
    world.lag = 5000;
    world.pass(10);
    assertThat(world.model()).isEqualTo("gpt-4o-mini");

    world.now = world.now.minus(Duration.ofHours(1));
    world.pass(60);
    assertThat(world.model()).isEqualTo("gpt-4.1-nano");
  }
}
