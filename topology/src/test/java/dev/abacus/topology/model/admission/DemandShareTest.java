package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DemandShareTest {

  private static ModelDemand demand(long callsPerMinute, long waiting) {
    return new ModelDemand("m", callsPerMinute, waiting);
  }

  @Test
  void anInstanceAloneHasTheWholeLimit() {
    assertThat(DemandShare.of(demand(0, 0), List.of(), false)).isEqualTo(1);
  }

  @Test
  void saturatedInstancesDivideTheLimitEqually() {
    assertThat(DemandShare.of(demand(300, 500), List.of(demand(100, 90), demand(200, 40)), true))
        .isCloseTo(1 / 3.0, within(1e-9));
  }

  @Test
  void anInstanceThatNeedsLittleLeavesTheRestToTheOthers() {
    ModelDemand little = demand(60, 0);
    ModelDemand much = demand(540, 400);
    assertThat(DemandShare.of(much, List.of(little), true)).isCloseTo(0.875, within(1e-9));
    assertThat(DemandShare.of(little, List.of(much), false)).isCloseTo(0.125, within(1e-9));
  }

  @Test
  void anInstanceThatIsNotAnnouncedUsesNoMoreThanTheOthersLeaveIt() {
    assertThat(DemandShare.of(demand(0, 900), List.of(demand(600, 400)), false)).isEqualTo(0.02);
  }

  @Test
  void theSharesOfAnnouncedInstancesNeverExceedTheLimitByMoreThanTheSmallestShares() {
    Random random = new Random(7);
    for (int round = 0; round < 1000; round++) {
      List<ModelDemand> all = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(6); i++) {
        all.add(demand(1 + random.nextInt(1000), random.nextBoolean() ? 0 : 1000));
      }
      double sum = 0;
      for (ModelDemand own : all) {
        List<ModelDemand> others = new ArrayList<>(all);
        others.remove(own);
        sum += DemandShare.of(own, others, DemandShare.isSaturated(own));
      }
      boolean saturated = all.stream().anyMatch(DemandShare::isSaturated);
      // Without a saturated instance, shares are a quarter above what is used.
      assertThat(sum)
          .isLessThanOrEqualTo(saturated ? 1 + 0.02 * all.size() : 1.25 + 0.02 * all.size());
    }
  }
}
