package dev.abacus.optimizer.page.chart;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.math.ElkPadding;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.options.EdgeRouting;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkBendPoint;
import org.eclipse.elk.graph.ElkEdge;
import org.eclipse.elk.graph.ElkEdgeSection;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * Positions of the boxes and arrows of a directed acyclic graph, in pixels.
 *
 * @param width of the drawing
 * @param height of the drawing
 * @param boxes by id
 * @param arrows SVG paths
 */
public record GraphLayout(int width, int height, Map<String, Box> boxes, List<String> arrows) {

  private static final double GAP = 28;
  private static final double MARGIN = 4;

  static {
    // Registers the types of ELK's options, which the layout needs.
    var _ = LayoutMetaDataService.getInstance();
  }

  /** The upper left corner and the size of a box. */
  public record Box(double x, double y, double width, double height) {}

  /** An arrow between two boxes. */
  public record Link(String from, String to) {}

  /**
   * Places boxes of one size in layers.
   *
   * @param ids unique ids of the boxes
   * @param links between these boxes
   * @param downward layers from top to bottom; otherwise from left to right
   */
  public static GraphLayout of(
      List<String> ids, List<Link> links, double width, double height, boolean downward) {
    ElkNode graph = ElkGraphUtil.createGraph();
    graph.setProperty(LayeredOptions.DIRECTION, downward ? Direction.DOWN : Direction.RIGHT);
    graph.setProperty(LayeredOptions.EDGE_ROUTING, EdgeRouting.ORTHOGONAL);
    graph.setProperty(LayeredOptions.PADDING, new ElkPadding(MARGIN));
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE, GAP);
    graph.setProperty(LayeredOptions.SPACING_NODE_NODE_BETWEEN_LAYERS, GAP);
    Map<String, ElkNode> nodes = new HashMap<>();
    for (String id : ids) {
      ElkNode node = ElkGraphUtil.createNode(graph);
      node.setDimensions(width, height);
      nodes.put(id, node);
    }
    for (Link link : links) {
      ElkGraphUtil.createSimpleEdge(nodes.get(link.from()), nodes.get(link.to()));
    }
    new LayeredLayoutProvider().layout(graph, new BasicProgressMonitor());
    Map<String, Box> boxes = new HashMap<>();
    nodes.forEach((id, node) ->
        boxes.put(id, new Box(node.getX(), node.getY(), node.getWidth(), node.getHeight())));
    List<String> arrows =
        graph.getContainedEdges().stream().map(GraphLayout::path).sorted().toList();
    return new GraphLayout(
        (int) Math.ceil(graph.getWidth()), (int) Math.ceil(graph.getHeight()), boxes, arrows);
  }

  private static String path(ElkEdge edge) {
    StringBuilder path = new StringBuilder();
    for (ElkEdgeSection section : edge.getSections()) {
      path.append(point('M', section.getStartX(), section.getStartY()));
      for (ElkBendPoint bend : section.getBendPoints()) {
        path.append(point('L', bend.getX(), bend.getY()));
      }
      path.append(point('L', section.getEndX(), section.getEndY()));
    }
    return path.toString();
  }

  private static String point(char command, double x, double y) {
    return String.format(Locale.ROOT, "%c%.1f %.1f", command, x, y);
  }
}
