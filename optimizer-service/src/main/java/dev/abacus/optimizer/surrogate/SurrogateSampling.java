package dev.abacus.optimizer.surrogate;

import dev.abacus.optimizer.cost.Belief;
import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.optimizer.cost.Priors;
import dev.abacus.optimizer.sampler.*;
import dev.abacus.schemas.observation.Observation;
import java.util.*;
import java.util.random.*;

public final class SurrogateSampling implements SamplingPolicy {
  static final int WAVE = Integer.getInteger("p.wave", 5);
  static final int FIRST = Integer.getInteger("p.first", 10);
  static final String ACQ = System.getProperty("p.acq", "ts");
  final long seed;
  final Map<List<Arm>, FeatureSpace> cache = new IdentityHashMap<>();
  public SurrogateSampling(long seed, Priors priors) {this.seed=seed;}

  @Override public int fullSamples(int c) { return 1; }
  @Override public double caution() { return 1; }

  record Known(OperatorSituation op, FeatureSpace space, int[] arm, int[] example, List<Observation> obs, int[] count) {}

  Known known(OperatorSituation op) {
    FeatureSpace space = cache.computeIfAbsent(op.arms(), FeatureSpace::of);
    Map<String,Integer> ex = new HashMap<>();
    for (String e : op.examples()) ex.put(e, ex.size());
    List<Observation> obs = new ArrayList<>(); List<Integer> arm = new ArrayList<>(); List<Integer> example = new ArrayList<>();
    int[] count = new int[op.arms().size()];
    for (int a = 0; a < op.arms().size(); a++) for (Observation o : op.observations(op.arms().get(a))) {
      obs.add(o); arm.add(a); example.add(ex.computeIfAbsent(o.exampleId(), _ -> ex.size())); count[a]++;
    }
    return new Known(op, space, arm.stream().mapToInt(i->i).toArray(), example.stream().mapToInt(i->i).toArray(), obs, count);
  }

  static final double TOTAL = Double.parseDouble(System.getProperty("p.total","0.08"));
  static final double PHI = Double.parseDouble(System.getProperty("p.phi","0.15"));

  static EffectModel quality(Known k) {
    double[] y = k.obs.stream().mapToDouble(o -> o.quality()).toArray();
    double s=0; for (double v: y) s+=v;
    double m = (s + .5) / (y.length + 1);
    double scale = m*(1-m);
    double[] noise = new double[y.length]; Arrays.fill(noise, scale);
    VariancePrior prior = VariancePrior.of(TOTAL*scale, 0.5*scale, 0.04*scale, PHI);
    Readings r = new Readings(k.arm, k.example, y, noise);
    EffectModel first = new EffectModel(k.space, r, m, prior);
    for (int i=0;i<y.length;i++){ double q=Math.clamp(first.mean(k.arm[i]),.03,.97); noise[i]=q*(1-q);}    
    return new EffectModel(k.space, r.withNoise(noise), m, prior);
  }

  static EffectModel logs(Known k, java.util.function.ToDoubleFunction<Observation> f, double total) {
    double[] y = k.obs.stream().mapToDouble(o -> Math.log(Math.max(1e-12,f.applyAsDouble(o)))).toArray();
    double[] noise = new double[y.length]; Arrays.fill(noise, 1);
    Readings r = new Readings(k.arm, k.example, y, noise);
    return new EffectModel(k.space, r, r.mean(), VariancePrior.of(total, 4, 0, 0.1));
  }

  @Override
  public Proposal propose(SamplingSituation situation) {
    List<Pull> pulls = new ArrayList<>();
    for (OperatorSituation op : situation.operators()) {
      Known k = known(op);
      RandomGenerator random = new SplittableRandom(seed*7919 + k.obs.size());
      List<Integer> arms = new ArrayList<>();
      if (k.obs.isEmpty()) {
        List<Arm> order = Reservoir.seeded(seed).order(op.operator(), op.arms());
        for (int i=0;i<Math.min(FIRST, order.size());i++) arms.add(op.arms().indexOf(order.get(i)));
      } else {
        EffectModel q = quality(k);
        switch (ACQ) {
          case "ts" -> { for (int t=0;t<20*WAVE && arms.size()<WAVE;t++) { double[] f=q.draw(random); int b=0; for(int a=1;a<f.length;a++) if(f[a]>f[b]) b=a; if(!arms.contains(b)) arms.add(b);} }
          case "kg" -> kg(k,q,arms);
          default -> throw new IllegalArgumentException(ACQ);
        }
      }
      // examples: each arm the next example it has not had, preferring examples in use
      for (int a : arms) {
        Map<String,Sample> had = op.samples().getOrDefault(op.arms().get(a).id(), Map.of());
        for (String e : op.examples()) if (!had.containsKey(e)) { pulls.add(new Pull(op.operator(), op.arms().get(a), e)); break; }
      }
    }
    return new Proposal(pulls, Map.of());
  }

  static final int KGN = Integer.getInteger("p.kgn", 60);
  static final double LOOK = Double.parseDouble(System.getProperty("p.look","4"));

  void kg(Known k, EffectModel q, List<Integer> out) {
    int m = k.space.size();
    double[] mean = new double[m], var = new double[m];
    double[][] wh = new double[m][];
    for (int a=0;a<m;a++){ mean[a]=q.mean(a); wh[a]=q.whitened(a); var[a]=Math.max(1e-12,q.covariance(a,wh[a],a,wh[a])); }
    Integer[] byUcb = new Integer[m]; for(int a=0;a<m;a++) byUcb[a]=a;
    Arrays.sort(byUcb, Comparator.comparingDouble((Integer a) -> -(mean[a]+1.5*Math.sqrt(var[a]))));
    int c = Math.min(KGN, m);
    int[] cand = new int[c]; for(int i=0;i<c;i++) cand[i]=byUcb[i];
    double[][] cov = new double[c][c];
    for(int i=0;i<c;i++) for(int j=0;j<=i;j++){ cov[i][j]=q.covariance(cand[i],wh[cand[i]],cand[j],wh[cand[j]]); cov[j][i]=cov[i][j]; }
    double[] mu = new double[c]; for(int i=0;i<c;i++) mu[i]=mean[cand[i]];
    double[] z = {-2.5,-1.8,-1.3,-.9,-.5,-.2,.2,.5,.9,1.3,1.8,2.5};
    double[] wz = new double[z.length]; double tot=0; for(int i=0;i<z.length;i++){wz[i]=Math.exp(-z[i]*z[i]/2); tot+=wz[i];} 
    int[] pulled = new int[c];
    while(out.size()<Math.min(WAVE,m)) {
      int best=-1; double bv=-1;
      double cur=Double.NEGATIVE_INFINITY; for(int i=0;i<c;i++) cur=Math.max(cur,mu[i]);
      for(int x=0;x<c;x++){
        if(out.contains(cand[x])) continue;
        double mq=Math.clamp(mu[x],.03,.97);
        double nv=q.noise()*mq*(1-mq);
        double sd=Math.sqrt(cov[x][x]+nv/LOOK);
        double v=0;
        for(int s=0;s<z.length;s++){ double top=-1e9; for(int a=0;a<c;a++) top=Math.max(top,mu[a]+cov[a][x]/sd*z[s]); v+=wz[s]/tot*top; }
        v-=cur;
        if(v>bv){bv=v;best=x;}
      }
      if(best<0) break;
      out.add(cand[best]);
      // condition covariance on the pull (mean unchanged)
      double mq=Math.clamp(mu[best],.03,.97); double d=cov[best][best]+q.noise()*mq*(1-mq);
      double[] col=new double[c]; for(int i=0;i<c;i++) col[i]=cov[i][best];
      for(int i=0;i<c;i++) for(int j=0;j<c;j++) cov[i][j]-=col[i]*col[j]/d;
    }
  }

  @Override
  public Map<String, Map<Arm, Belief>> beliefs(SamplingSituation situation) {
    Map<String, Map<Arm, Belief>> all = new LinkedHashMap<>();
    for (OperatorSituation op : situation.operators()) {
      Known k = known(op);
      Map<Arm, Belief> bs = new TreeMap<>();
      EffectModel q = quality(k), c = logs(k, Observation::cost, 1.5), l = logs(k, Observation::latency, .8);
      for (int a=0;a<k.count.length;a++) if (k.count[a]>0) {
        bs.put(op.arms().get(a), new Belief(new OperatorEstimate(Math.clamp(q.mean(a),0,1), Math.exp(c.mean(a)+c.noise()/2), Math.exp(l.mean(a)+l.noise()/2), 1), k.count[a], Math.sqrt(q.variance(a)), Math.sqrt(c.variance(a)), Math.sqrt(l.variance(a))));
      }
      all.put(op.operator(), bs);
    }
    return all;
  }
}
