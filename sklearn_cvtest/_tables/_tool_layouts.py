"""The layouts in which tools write the results of models, one a row."""

from ._layout_row import CANDIDATES, DATASETS, FOLDS, SINGLE, Layout

METRICS = r"unnamed:_\d+|metrics?"  # of rows that are called as metrics

KEYS_OF_WEKA = {
    "model": "key_scheme",
    "dataset": "key_dataset",
    "repeat": "key_run",
    "fold": "key_fold",
}
SIZES_OF_WEKA = {
    "options": "key_scheme_options",
    "n_train": "number_of_training_instances",
    "n_test": "number_of_testing_instances",
}

OF_TOOLS = (
    Layout(
        "results of a search (cv_results_)",
        CANDIDATES,
        {"model": "params"},
        """\
mean_fit_time,param_max_depth,params,split0_test_score,split1_test_score,rank_test_score
0.01,1,{'max_depth': 1},0.81,0.83,2
0.01,2,{'max_depth': 2},0.88,0.91,1
0.02,3,{'max_depth': 3},0.87,0.89,3
0.02,4,{'max_depth': 4},0.87,0.89,3
""",
        writer="scikit-learn, pd.DataFrame(search.cv_results_)",
        values=r"split(?P<key>\d+)_test_(?P<metric>.+)",
        spread="fold",
        direction="score",
    ),
    Layout(
        "accuracies of the WEKA Experimenter",
        FOLDS,
        KEYS_OF_WEKA,
        """\
Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct,Kappa_statistic
iris,1,1,weka.classifiers.trees.J48,-C 0.25 -M 2,93.3,0.9
iris,1,2,weka.classifiers.trees.J48,-C 0.25 -M 2,96.7,0.95
iris,1,1,weka.classifiers.bayes.NaiveBayes,,96.7,0.95
iris,1,2,weka.classifiers.bayes.NaiveBayes,,100.0,1.0
""",
        writer="WEKA Experimenter, CSV or ARFF",
        optional=SIZES_OF_WEKA,
        values="(?P<metric>percent_correct)",
        direction="score",
        percent=True,
    ),
    Layout(
        "errors of the WEKA Experimenter",
        FOLDS,
        KEYS_OF_WEKA,
        """\
Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Root_mean_squared_error
cpu,1,1,weka.classifiers.functions.LinearRegression,-S 0,41.2
cpu,1,2,weka.classifiers.functions.LinearRegression,-S 0,44.7
cpu,1,1,weka.classifiers.trees.M5P,-M 4.0,38.9
cpu,1,2,weka.classifiers.trees.M5P,-M 4.0,40.1
""",
        writer="WEKA Experimenter, CSV or ARFF",
        optional=SIZES_OF_WEKA,
        without=("number_correct", "kappa_statistic"),
        values="(?P<metric>root_mean_squared_error)",
        direction="loss",
    ),
    Layout(
        "results of the AutoML benchmark",
        FOLDS,
        {"dataset": "task", "model": "framework", "fold": "fold", "also": "constraint"},
        """\
id,task,framework,constraint,fold,result,metric
openml.org/t/1,a,flaml,1h,0,0.91,auc
openml.org/t/1,a,flaml,1h,1,0.93,auc
openml.org/t/1,a,tpot,1h,0,0.90,auc
openml.org/t/1,a,tpot,1h,1,0.91,auc
""",
        writer="AutoML benchmark, results.csv",
        values="(?P<metric>result)",
        direction="score",
    ),
    Layout(
        "forecasts by series, the mean over folds of each",
        DATASETS,
        {"dataset": "validation_id", "model": "model_id"},
        """\
validation_id,model_id,runtime_secs,MeanAbsoluteError_fold_0_test,MeanAbsoluteError_fold_1_test
airline,naive,0.1,0.31,0.35
airline,ets,0.4,0.21,0.25
lynx,naive,0.1,0.41,0.38
lynx,ets,0.4,0.31,0.36
""",
        writer="sktime, ForecastingBenchmark",
        values=r"(?P<metric>.+)_fold_(?P<key>\d+)_test",
        spread="fold",
        summed="fold",
    ),
    Layout(
        "scores of mlr3",
        FOLDS,
        {"dataset": "task_id", "model": "learner_id", "fold": "iteration"},
        """\
task_id,learner_id,resampling_id,iteration,classif.ce
iris,classif.rpart,cv,1,0.06
iris,classif.rpart,cv,2,0.08
iris,classif.featureless,cv,1,0.66
iris,classif.featureless,cv,2,0.70
""",
        writer="mlr3, bmr$score()",
        optional={"how": "resampling_id"},
    ),
    Layout(
        "results of cross_validate, the rows of each model being its folds",
        FOLDS,
        {"model": "", "also": "fit_time", "time": "score_time"},
        """\
fit_time,score_time,test_score,model
0.6,0.001,0.98,lr
0.7,0.001,0.97,lr
0.1,0.001,0.91,tree
0.1,0.001,0.92,tree
""",
        writer="scikit-learn, pd.concat of cross_validate",
        optional={"dataset": ""},
        without=("fold", "run", "example"),
        is_numbered=True,
    ),
    Layout(
        "data sets × resamples of a model, the mean over resamples of each",
        DATASETS,
        {"dataset": "resamples:", "model": "model"},
        """\
Resamples:,0,1,model
Beef,0.80,0.83,HC2
Coffee,1.0,0.99,HC2
Beef,0.70,0.73,ROCKET
Coffee,0.98,1.0,ROCKET
""",
        writer="aeon and tsml-eval, a file for each model",
        values=r"(?P<key>\d+)",
        spread="run",
        summed="run",
    ),
    Layout(
        "metrics of skore × models and splits",
        FOLDS,
        {"metric": METRICS},
        """\
metric,logistic_split_0,logistic_split_1,tree_split_0,tree_split_1
accuracy,0.982,0.974,0.904,0.921
roc_auc,0.995,0.997,0.909,0.914
log_loss,0.084,0.080,3.478,2.846
fit_time,0.534,0.468,0.020,0.014
""",
        writer="skore, metrics.summarize().frame(aggregate=None)",
        values=r"(?P<model>.+)_split_(?P<key>\d+)",
    ),
    Layout(
        "scores of skore, a row for each metric, model and split",
        FOLDS,
        {
            "metric": "name",
            "model": "estimator",
            "fold": "split",
            "also": "data_source",
        },
        """\
name,estimator,data_source,score,split
accuracy,logistic,test,0.982,0
accuracy,logistic,test,0.974,1
accuracy,tree,test,0.904,0
accuracy,tree,test,0.921,1
""",
        writer="skore, metrics.summarize().summary",
        optional={"label": "label"},
        values="score",
    ),
    Layout(
        "metrics × models, one number for each model",
        SINGLE,
        {"metric": METRICS},
        """\
metric,mean_logistic,mean_tree,std_logistic,std_tree
accuracy,0.981,0.917,0.007,0.018
roc_auc,0.995,0.916,0.005,0.016
log_loss,0.081,2.978,0.018,0.662
fit_time,0.468,0.021,0.044,0.006
""",
        writer="skore, metrics.summarize().frame()",
        without=("model", "fold", "run", "example", "dataset"),
        bring="One number for each model cannot be tested. Bring the scores of splits: "
        "with skore, metrics.summarize().frame(aggregate=None) of cross-validations",
    ),
    Layout(
        "trials of Optuna",
        SINGLE,
        {"model": "number", "value": "value", "also": "state"},
        """\
number,value,datetime_start,datetime_complete,duration,params_x,state
0,0.84,2026-11-28 06:45:45,2026-11-28 06:45:46,0 days,0.47,COMPLETE
1,0.85,2026-11-28 06:45:46,2026-11-28 06:45:47,0 days,0.56,COMPLETE
2,0.87,2026-11-28 06:45:47,2026-11-28 06:45:48,0 days,0.78,COMPLETE
3,0.86,2026-11-28 06:45:48,2026-11-28 06:45:49,0 days,0.79,COMPLETE
""",
        writer="Optuna, study.trials_dataframe()",
        bring="A trial has one number, which cannot be tested. Report the score of "
        "each fold in the objective, and bring a column of scores for each trial",
    ),
    Layout(
        "data sets (blocks) and models (groups)",
        DATASETS,
        {"dataset": "blocks?", "model": "groups?"},
        """\
y,blocks,groups
0.61,iris,A
0.65,iris,B
0.71,wine,A
0.75,wine,B
""",
        writer="scikit-posthocs",
        values="(?P<metric>y)",
    ),
)
