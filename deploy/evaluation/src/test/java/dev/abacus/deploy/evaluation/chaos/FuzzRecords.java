package dev.abacus.deploy.evaluation.chaos;

import java.util.List;
import java.util.Map;

/** Records of the topics that workers and optimizer read, besides documents and control records. */
final class FuzzRecords {

  /** Values of records on other topics, as the product writes them; the mutants start from them. */
  static final Map<String, List<String>> VALUES =
      Map.of(
          "abacus.status",
          List.of(
              """
              {"program":"chain","instance":"worker-1","at":"2026-01-01T00:00:00Z","state":"RUNNING","epoch":1,\
              "pending":1,"inFlight":1,"results":5,"filtered":0,"deadLetters":0,"samples":0,"costUsd":0.1,\
              "sampleCostUsd":0,"lag":0,"epochs":[],"models":[],"quality":[],"references":[],"waits":[],\
              "demands":[{"model":"gpt-4o-mini","calls":1,"waiting":1}],"availability":[]}\
              """,
              "{}"),
          "abacus.learnt",
          List.of(
              "{\"topic\":{\"model-selection(gpt-4o-mini)\":{\"quality\":0.8,\"cost\":0.002,\"latency\":1.5}}}"),
          "chain.validation",
          List.of(
              "{\"source\":\"documents\",\"document\":{\"id\":\"v\",\"text\":\"doc:example:1;\"},"
                  + "\"labels\":{\"topic\":{\"topic\":\"x\"}}}"),
          "chain.samples",
          List.of(
              """
              {"id":"t-1","program":"chain","operator":{"map":"topic","input":"documents","instruction":"x",\
              "reads":["text"],"writes":{"topic":{"type":"string"}}},"physical":{"technique":"model-selection",\
              "model":"gpt-4o-mini"},"exampleId":"v","input":{"text":"doc:example:1;"},"metrics":{},"judge":"o4-mini"}\
              """),
          "chain.observations",
          List.of(
              """
              {"taskId":"t-1","program":"chain","operator":"topic","physical":"model-selection(gpt-4o-mini)",\
              "exampleId":"v","outcome":"KEPT","outputs":[{"topic":"x"}],"quality":1,"scoredBy":"LABEL","cost":0.1,\
              "latency":1,"judgeCost":0}\
              """),
          "abacus.spending",
          List.of(
              """
              {"program":"chain","instance":"worker-1","sequence":1,"cap":{"nanoUsd":1,"tokens":1},"windowMillis":30000,\
              "window":0,"held":{"nanoUsd":1,"tokens":1},"ask":{"nanoUsd":1,"tokens":0},"least":{"nanoUsd":1,"tokens":0},\
              "elapsed":null}\
              """),
          "chain.receipts",
          List.of("{\"text\":\"{}\",\"costUsd\":0.1,\"seconds\":1,\"attempts\":1}"));

  /** Keys of these records. */
  static final Map<String, List<String>> KEYS =
      Map.of(
          "abacus.status",
              List.of("chain/worker-1", "chain/worker-9", "chain/governor", "chain", "", "//"),
          "abacus.learnt",
              List.of("priors/keep", "learnt/keep/topic", "transferred/keep", "learnt/x", ""),
          "chain.validation", List.of("v-1", "v-2", ""),
          "chain.samples", List.of("t-1", "t-2", ""),
          "chain.observations", List.of("t-1", "t-2", ""),
          "abacus.spending", List.of("chain/worker-1", "chain/worker-9", "x", ""),
          "chain.receipts", List.of("0123456789abcdef", "x", ""));

  private FuzzRecords() {}
}
