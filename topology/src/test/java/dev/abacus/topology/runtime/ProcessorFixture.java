package dev.abacus.topology.runtime;

import java.time.Duration;

/** Scripted work over stores that outlive the processor, so that a test can open it again. */
abstract class ProcessorFixture {

  final ScriptedWork work = new ScriptedWork();
  final SurvivingStores stores = new SurvivingStores();
  final RuntimeSettings settings = RuntimeSettings.defaults().withSlice(Duration.ZERO);

  Harness open() {
    return Harness.over(work).stores(stores).open();
  }

  Harness open(RuntimeSettings with) {
    return Harness.over(work).stores(stores).settings(with).open();
  }
}
