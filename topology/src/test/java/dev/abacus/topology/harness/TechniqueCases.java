package dev.abacus.topology.harness;

import static dev.abacus.topology.harness.DocumentCase.FILTER;
import static dev.abacus.topology.harness.DocumentCase.MANY;
import static dev.abacus.topology.harness.DocumentCase.MAP;
import static dev.abacus.topology.harness.DocumentCase.PROJECT;
import static dev.abacus.topology.harness.ReferenceCase.ENTITY;
import static dev.abacus.topology.harness.ReferenceCase.INNER;
import static dev.abacus.topology.harness.ReferenceCase.JOIN;
import static dev.abacus.topology.harness.ReferenceCase.SEARCH;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.plan.SplitAndMerge;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.Reasoning;
import java.util.List;

/** One case for every technique. */
final class TechniqueCases {

  private static final List<SolvedExample> SHOWN =
      List.of(
          new SolvedExample(
              "e1",
              Document.empty().with("text", TextNode.valueOf("#shown#")),
              JsonNodeFactory.instance.objectNode().put("echo", "shown")),
          new SolvedExample(
              "e2",
              Document.empty().with("text", TextNode.valueOf("#shown yes#")),
              BooleanNode.TRUE));

  private static final List<SolvedExample> PAIRS =
      List.of(
          SolvedExample.ofPair(
              "e1", Document.empty().with("text", TextNode.valueOf("#shown#")), "a", false),
          SolvedExample.ofPair(
              "e2", Document.empty().with("text", TextNode.valueOf("#shown yes#")), "b", true));

  private static final List<SolvedExample> RIGHTS =
      List.of(
          SolvedExample.ofPair(
              "e1",
              Document.empty().with("text", TextNode.valueOf("#shown#")),
              Document.empty().with("text", TextNode.valueOf("#right yes#")),
              false));

  /** A new technique needs a case here, or the harness fails. */
  static final List<TechniqueCase> ALL =
      List.of(
          new DocumentCase(to -> new ModelSelection(to + "m"), MAP, MANY, FILTER),
          new DocumentCase(to -> new ModelSelection(to + "m", Reasoning.STEPS), MAP, MANY, FILTER),
          new DocumentCase(to -> new FewShot(to + "m", 2, SHOWN), MAP, MANY, FILTER),
          new DocumentCase(to -> new FewShot(to + "m", 1, "e", SHOWN), MAP, MANY, FILTER),
          new DocumentCase(to -> new ReducedContext(to + "m", "e", 100, 2), MAP, MANY, FILTER),
          new DocumentCase(
              to -> new MixtureOfAgents(List.of(to + "a", to + "b", to + "c"), 0.4, to + "d"),
              MAP,
              MANY,
              FILTER),
          new DocumentCase(
              to -> new CritiqueAndRefine(to + "a", to + "b", to + "c"), MAP, MANY, FILTER),
          new DocumentCase(to -> new HeadAndTail(to + "m", 1000), MAP, MANY, FILTER),
          new DocumentCase(to -> new SplitAndMerge(to + "m", 1000, to + "n"), MAP, MANY, FILTER),
          new DocumentCase(to -> new CompressedContext(to + "a", to + "b"), MAP, MANY, FILTER),
          new DocumentCase(to -> new Gleaning(to + "a", to + "b", 2), MAP, MANY, FILTER),
          new DocumentCase(to -> new TupleBatch(to + "m", 5), MAP, MANY, FILTER),
          new DocumentCase(to -> new ConditionByCondition(to + "m"), FILTER),
          new DocumentCase(to -> new LearnedCascade(to + "m", "e", 0.9, null), FILTER),
          new DocumentCase(to -> new ModelCascade(to + "a", to + "b", 0.9, null), FILTER),
          new ReferenceCase(_ -> new TopKSearch("e", 2), SEARCH),
          new ReferenceCase(to -> new NestedLoopsJoin(to + "m"), JOIN, INNER),
          new ReferenceCase(to -> new NestedLoopsJoin(to + "m", Reasoning.STEPS), JOIN, INNER),
          new ReferenceCase(to -> new EmbeddingJoin(to + "m", "e", null, null), JOIN, INNER),
          new ReferenceCase(to -> new NestedLoopsJoin(to + "m", null, 1, PAIRS), JOIN, INNER),
          new ReferenceCase(to -> new ChoiceJoin(to + "m", "e", 3), JOIN, INNER),
          new PairCase(to -> new NestedLoopsJoin(to + "m")),
          new PairCase(to -> new EmbeddingJoin(to + "m", "e", null, null)),
          new PairCase(to -> new NestedLoopsJoin(to + "m", null, 1, RIGHTS)),
          new ReferenceCase(to -> new PairwiseResolution(to + "m", "e", 2), ENTITY),
          new ReferenceCase(to -> new ChoiceResolution(to + "m", "e", 2), ENTITY),
          new RankCase(to -> new PointwiseRanking(to + "m")),
          new RankCase(to -> new ListwiseRanking(to + "m", 2)),
          new RankCase(to -> new PairwiseRanking(to + "m")),
          new GroupCase(),
          new DocumentCase(_ -> new Relational(), PROJECT));

  private TechniqueCases() {}
}
