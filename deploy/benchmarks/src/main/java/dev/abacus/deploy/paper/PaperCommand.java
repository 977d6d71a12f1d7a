package dev.abacus.deploy.paper;

import dev.abacus.deploy.command.Output;
import dev.abacus.deploy.dataset.Dataset;
import dev.abacus.optimizer.PolicyName;
import dev.abacus.schemas.model.ModelCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "paper")
public final class PaperCommand implements Runnable {
  @Option(names = "--data")
  private Path data = Path.of("");

  @Option(names = "--data-set")
  private DataSet set = DataSet.CUAD;

  @Option(names = "--seeds")
  private int seeds = 10;

  @Option(names = "--policy")
  private String policy = "surrogate";

  @Option(names = "--models", split = ",")
  private List<String> models = List.of("gpt-4o-mini");

  @Option(names = "--budget")
  private int budget = 50;

  @Option(names = "--priors")
  private boolean priors;

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    try {
      long t0 = System.nanoTime();
      Dataset d = set.read(data.resolve(set.folder()));
      Path tmp = Files.createTempDirectory("paper");
      ModelCatalogue c = ModelCatalogue.builtIn();
      Benchmark b = Benchmark.from(set, d, tmp, c);
      World w = World.of(b, tmp.resolve("answers.jsonl"), c);
      output.line("ready " + (System.nanoTime() - t0) / 1e9);
      try (Trials t = new Trials(w, c, seeds)) {
        if (priors) {
          t0 = System.nanoTime();
          var p = t.sampledPriors(models);
          output.line("priors " + (System.nanoTime() - t0) / 1e9);
          p.byOperator()
              .forEach((o, m) ->
                  output.line(
                      o
                          + " "
                          + m.size()
                          + " best "
                          + m.values().stream().mapToDouble(e -> e.quality()).max().orElse(0)));
        }
        for (String o : List.of("maximize quality", "minimize cost", "minimize latency")) {
          t0 = System.nanoTime();
          Setup s =
              Setup.of(
                  PolicyName.ofLabel(policy),
                  dev.abacus.schemas.objective.ObjectiveParser.parse(o),
                  models,
                  budget);
          for (Outcome x : t.run(s)) output.line(x.toString());
          output.line(o + " took " + (System.nanoTime() - t0) / 1e9);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
